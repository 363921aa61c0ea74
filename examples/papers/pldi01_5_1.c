// options: --entry f
//
// PLDI01, section 5.1: over {x == 1, x == 2} the boolean program has `enforce !({x == 1} & {x == 2})`, that is !F(false).
void f(int x) {
    x = x + 1;
}
