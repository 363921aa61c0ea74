// expect: SAFE
extern void reach_error(void);
static int f(char *p) {
    if (__builtin_object_size(p, 0) != (unsigned long)-1) reach_error();
    return __builtin_object_size(p, 2) != 0;
}
int main(void) {
    char b[8];
    if (f(b)) reach_error();
    return 0;
}
