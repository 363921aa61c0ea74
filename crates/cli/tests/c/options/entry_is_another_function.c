// expect: UNSAFE
// options: --entry start
extern void reach_error(void);
int start(void) { reach_error(); return 0; }
int main(void) { return 0; }
