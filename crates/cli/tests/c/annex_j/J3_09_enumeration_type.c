// expect: SAFE
/* unsigned int where no enumerator is negative. */
extern int nd(void);
extern void reach_error(void);
enum E { A, B };
int main(void) { enum E e = (enum E)-1; if (e < 0 || sizeof e != 4) reach_error(); return nd(); }
