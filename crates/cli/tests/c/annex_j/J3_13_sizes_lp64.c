// expect: SAFE
// options: --data-model LP64
extern int nd(void);
extern void reach_error(void);
int main(void) { if (sizeof(long) != 8 || sizeof(void *) != 8 || sizeof(int) != 4) reach_error(); return nd(); }
