// expect: SAFE
/* Objects of static storage have their initial values before main begins, in whatever order they get them. */
extern void reach_error(void);
static int *p;
static int y = 4;
static int *q = &y;
int main(void) { if (p || *q != 4) reach_error(); return 0; }
