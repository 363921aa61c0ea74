// expect: UNSAFE
/* The second may lie below the first. */
extern void reach_error(void);
extern void *malloc(unsigned long);
int main(void) {
    char *p = malloc(2), *q = malloc(2);
    if (p && q && (unsigned long)q < (unsigned long)p) reach_error();
    return 0;
}
