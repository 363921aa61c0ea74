// options: --check free
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
struct point { int x, y; };
int main(void) {
    struct point *p = &(struct point){0, 0};
    p = nd() ? &(struct point){1, 2} : p;
    if (p->x != 0 && p->y != 2)
        reach_error();
    return 0;
}
