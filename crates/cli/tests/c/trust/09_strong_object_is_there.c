// expect: SAFE
extern void reach_error(void);
extern int table[];
extern int one;
extern void f(void);
int main(void) {
  if (table == 0 || &one == 0 || f == 0) reach_error();
  return 0;
}
