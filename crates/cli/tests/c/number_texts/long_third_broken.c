// expect: UNSAFE
// A third has 64 bits, and no more digits than that.
extern int sprintf(char *, const char *, ...);
extern int strcmp(const char *, const char *);
extern void reach_error(void);
int main(void) {
    char b[64];
    sprintf(b, "%.24Lf", 1.0L / 3);
    if (strcmp(b, "0.333333333333333333333333")) reach_error();
    return 0;
}
