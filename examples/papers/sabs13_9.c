// SABS13, sections 7 and 9: over {x >= 0, x <= 100} the block `x = 10` gives T, T whatever was before, also where no state was; in
// `x = x + 1` the valuation that no state has is in no row.
//   hardbop abstract sabs13_9.c --entry f --predicates sabs13_9.preds --table --block statement
int x;

void f(void) {
    x = 10;
    x = x + 1;
}
