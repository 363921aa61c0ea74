// expect: SAFE
/* Wherever it goes, only one of the two counts; a jump back ends the inner block and begins it anew. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int way = 0, rounds = 0;
again:
    if (rounds == 2)
        return 0;
    rounds++;
    way = 0;
    {
        int inner = __VERIFIER_nondet_int();
        __asm__ goto("testl %0, %0; jne %l[there]; js %l[again]" : : "r"(inner) : "cc" : there, again);
        way = 1;
    }
    if (way != 1)
        reach_error();
    return 0;
there:
    if (way != 0 || rounds > 2)
        reach_error();
    return 0;
}
