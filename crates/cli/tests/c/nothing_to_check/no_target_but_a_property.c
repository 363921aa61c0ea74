// expect: SAFE
// options: --property ../options/bad.prp
int main(void) { return 0; }
