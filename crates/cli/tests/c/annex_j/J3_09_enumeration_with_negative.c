// expect: SAFE
extern int nd(void);
extern void reach_error(void);
enum E { A = -1, B };
int main(void) { enum E e = (enum E)-1; if (e >= 0) reach_error(); return nd(); }
