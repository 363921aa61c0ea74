// expect: UNSAFE
// inputs: 1
// data-model: any
extern int nd(void);
extern void reach_error(void);
struct box { int inside; int other; };
static void touch(struct box *b) { b->inside = nd(); }
int main(void) {
    struct box b = {4, 0};
    touch(&b);
    if (b.inside != 4) reach_error();
    return 0;
}
