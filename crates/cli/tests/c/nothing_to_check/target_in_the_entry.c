// expect: UNSAFE
// options: --entry f
extern void reach_error(void);
void f(void) { reach_error(); }
int main(void) { return 0; }
