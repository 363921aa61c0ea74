// expect: SAFE
/* Two allocations do not overlap, whatever their order. */
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    char *p = malloc(2), *q = malloc(2);
    if (p && q && (p == q || p + 1 == q || q + 1 == p)) reach_error();
    return 0;
}
