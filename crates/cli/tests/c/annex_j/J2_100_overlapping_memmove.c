// expect: SAFE
extern int nd(void);
extern void reach_error(void);
extern void *memmove(void *, const void *, unsigned long);
int main(void) { char a[4] = {1, 2, 3, 4}; memmove(a + 1, a, 3); if (a[1] != 1 || a[3] != 3) reach_error(); return nd(); }
