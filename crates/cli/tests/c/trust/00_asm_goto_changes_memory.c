// expect: UNSAFE
/* What the instructions write is written when they jump, too. */
extern void reach_error(void);
int main(void) {
    int x = 1, *p = &x;
    __asm__ goto("movl $2, (%0); jmp %l[there]" : : "r"(p) : "memory" : there);
    return 0;
there:
    if (x == 2)
        reach_error();
    return 0;
}
