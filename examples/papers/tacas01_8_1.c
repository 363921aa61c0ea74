// TACAS01, section 8, example 1: what `x = y` makes of an abstract state.
//   hardbop abstract tacas01_8_1.c --entry f --predicates tacas01_8_1.preds --post '<0,0,0>' --line 6
int x, y;

void f(void) {
    x = y;
}
