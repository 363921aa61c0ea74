// expect: UNSAFE
extern void reach_error(void);
int main(void) {
    int n = 0;
    __asm__ goto("testl %%esp, %%esp; je %l[one]; jmp %l[two]" : : : "cc" : one, two);
    return n;
one:
    n++;
two:
    if (n == 0)
        reach_error();
    return 0;
}
