// expect: SAFE
// options: --check null,div
int main(void) { return 0; }
