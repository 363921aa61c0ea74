// expect: UNSAFE
// inputs: 1 1
// data-model: any
// check: free
extern void *malloc(unsigned long);
extern void free(void *);
extern int nd(void);
int main(void) {
    char *p = malloc(2);
    if (!p) return 0;
    int freed = 0;
    if (nd()) { free(p); freed = 1; }
    if (freed) free(p);
    return 0;
}
