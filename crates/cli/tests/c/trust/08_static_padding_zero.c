// expect: SAFE
// Objects of static storage begin with zeroes in their padding, with an initialiser and without.
extern int nd(void);
extern void reach_error(void);

struct S { char c; long l; };
static struct S zero, set = {1, 2};

int main(void) {
    static const struct S local = {3, 4};
    set.l = 2;
    zero = (struct S){0, nd()};
    if (((unsigned char *)&local)[1] || ((unsigned char *)&local)[sizeof(long) - 1]) reach_error();
    return 0;
}
