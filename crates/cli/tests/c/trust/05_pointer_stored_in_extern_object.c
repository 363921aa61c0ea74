// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
extern struct { int n; char *text; } shared;
int main(void) {
    char buffer[4] = "abc";
    shared.text = buffer;
    nd();
    if (buffer[2] != 'c') reach_error();
    return 0;
}
