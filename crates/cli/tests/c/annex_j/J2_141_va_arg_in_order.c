// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int f(int n, ...) {
    __builtin_va_list ap; __builtin_va_start(ap, n);
    int a = __builtin_va_arg(ap, int); long b = __builtin_va_arg(ap, long);
    __builtin_va_end(ap); return a * 10 + (int)b;
}
int main(void) { int x = nd() & 7; if (f(2, x, 3L) == 53) reach_error(); return 0; }
