// expect: SAFE
// data-model: any
// Nothing is known of where an object lies but that it is above the first page.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g;
int main(void) {
    unsigned long a = (unsigned long)&g;
    int x = __VERIFIER_nondet_int();
    if (a < 4096 && x) reach_error();
    return 0;
}
