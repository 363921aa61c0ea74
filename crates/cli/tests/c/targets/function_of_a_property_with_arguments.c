// expect: UNSAFE
// options: --property ../options/bad.prp
extern void bad(int, int);
int main(void) { bad(1, 2); }
