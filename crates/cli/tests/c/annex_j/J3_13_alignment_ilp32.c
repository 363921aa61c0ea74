// expect: SAFE
// options: --data-model ILP32
/* long long in a structure is aligned to 4 bytes. */
extern int nd(void);
extern void reach_error(void);
struct S { char c; long long l; };
int main(void) { if (sizeof(struct S) != 12) reach_error(); return nd(); }
