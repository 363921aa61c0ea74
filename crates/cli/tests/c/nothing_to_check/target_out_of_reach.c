// expect: UNKNOWN
// reason: nothing to check: 
extern void reach_error(void);
void f(void) { reach_error(); }
int main(void) { return 0; }
