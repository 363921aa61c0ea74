// expect: SAFE
// options: --check overflow
/* x++ of a char converts, which is implementation-defined. */
extern int nd(void);
int main(void) { signed char c = nd(); c++; return c; }
