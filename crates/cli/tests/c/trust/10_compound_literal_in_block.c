// options: --check free
// expect: UNSAFE
extern int nd(void);
struct point { int x, y; };
int main(void) {
    struct point *p = &(struct point){0, 0};
    if (nd())
        p = &(struct point){1, 2};
    return p->x;
}
