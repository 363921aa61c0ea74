// options: --entry add --params valid
// expect: UNSAFE
extern void reach_error(void);
struct pair { short a; short b; } last;
int add(struct pair *p, short *q) {
    p->a = 1;
    last.a = 2;
    *q = 3;
    if (p->a != 1 && p->a != 2) reach_error();
    return 0;
}
