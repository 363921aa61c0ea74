// expect: UNSAFE
/* The jump is taken or not, as the machine decides. */
extern void reach_error(void);
int main(void) {
    int x = 0;
    __asm__ goto("testl %%esp, %%esp; jne %l[there]" : : : "cc" : there);
    return x;
there:
    reach_error();
    return 1;
}
