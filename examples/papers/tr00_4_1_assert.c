// expect: UNSAFE
// options: --entry f
//
// TR00, section 4.1, second example: assert(y < z) over {x < y, x < z, y < z}. The assertion can fail, of course; the point
// is the boolean program, which knows that x < y and not x < z exclude y < z.
extern void reach_error(void);

void f(int x, int y, int z) {
    if (!(y < z)) reach_error();
}
