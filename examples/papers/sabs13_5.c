// SABS13, section 5: x := -x over {x <= 0, x < 0}. The printed exchange of the two values is wrong at 0, which stays what it is.
//   hardbop abstract sabs13_5.c --entry f --predicates sabs13_5.preds --table --signed-overflow undefined
int x;

void f(void) {
    x = -x;
}
