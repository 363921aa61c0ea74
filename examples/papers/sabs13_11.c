// SABS13, section 11: three treatments of the conditions of branches, which give the same verdict. The exit of the loop assumes
// what does not exclude that its condition is false.
//   hardbop abstract sabs13_11.c --predicates sabs13_11.preds --control assume
//   hardbop abstract sabs13_11.c --predicates sabs13_11.preds --control conditions
//   hardbop abstract sabs13_11.c --predicates sabs13_11.preds --control sets
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0;
    int y = __VERIFIER_nondet_int();
    while (x < 10) {
        if (y > 100) x = x + 1;
        else x = 10;
    }
    if (x != 10) reach_error();
    return 0;
}
