// expect: SAFE
// options: --data-model ILP32
extern int nd(void);
extern void reach_error(void);
int main(void) { if (sizeof(long) != 4 || sizeof(void *) != 4 || sizeof(long long) != 8 || sizeof(double) != 8) reach_error(); return nd(); }
