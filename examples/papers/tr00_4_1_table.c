// options: --entry f
//
// TR00, section 4.1, first example: the whole table of F(WP(x := x+1, e)) for e in {x = 1, x = 2, x <= 3}, both polarities.
// `tr00_4_1_table.math.bp` is the paper's answer, for integers that do not overflow (--signed-overflow undefined);
// `tr00_4_1_table.bp` is the answer where addition wraps: then the greatest number becomes the least, and x > 3 does not
// imply x + 1 > 3.
void f(int x) {
    x = x + 1;
}
