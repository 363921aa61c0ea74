// SABS13, section 12: questions of the direct method against those of the papers, over two to twelve predicates on one block. Ours are
// one more than the rows of the table.
//   hardbop abstract sabs13_12.c --entry f --predicates sabs13_12.preds --table
int x, y, z;

void f(void) {
    x = x + 1;
    y = y - x;
    z = x;
}
