// expect: UNSAFE
extern void __VERIFIER_assert(_Bool);
int main(void) { __VERIFIER_assert(0); }
