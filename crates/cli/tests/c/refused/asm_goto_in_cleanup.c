// expect: UNKNOWN
// reason: asm goto in the scope of a cleanup attribute
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void end(int *p) { (void)p; }
int main(void) {
    {
        int x __attribute__((cleanup(end))) = __VERIFIER_nondet_int();
        __asm__ goto("testl %0, %0; je %l[there]" : : "r"(x) : "cc" : there);
    }
    return 0;
there:
    reach_error();
    return 1;
}
