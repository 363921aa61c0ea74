// expect: UNSAFE
extern void reach_error(void);
int main(void) {
    __asm__ goto("testl %%esp, %%esp; je %l[there]" : : : "cc" : there);
    reach_error();
there:
    return 0;
}
