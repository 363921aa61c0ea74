// expect: UNSAFE
// options: --property ../options/bad.prp
int kill(int a, int b) { return 0; }
int getpid(void) { return 1; }
int bad();
int main(void) { bad(); }
