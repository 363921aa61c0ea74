// SABS13, section 6: the assignment table of one block, which has six rows where nothing overflows and eight where addition wraps.
//   hardbop abstract sabs13_6.c --entry f --predicates sabs13_6.preds --table --signed-overflow undefined
int x, y;

void f(void) {
    x = x + 10;
    y = y + 1;
}
