// expect: UNSAFE
// options: --data-model LP64
extern int nd(void);
extern void reach_error(void);
struct S { char c; long long l; };
int main(void) { if (sizeof(struct S) == 16) reach_error(); return nd(); }
