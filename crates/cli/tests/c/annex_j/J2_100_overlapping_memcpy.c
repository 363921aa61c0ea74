// expect: SAFE
/* Does not count; memmove does. */
extern int nd(void);
extern void reach_error(void);
extern void *memcpy(void *, const void *, unsigned long);
int main(void) { char a[4] = {1, 2, 3, 4}; if (nd()) { memcpy(a + 1, a, 3); reach_error(); } return 0; }
