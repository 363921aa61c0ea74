// What it was given it can write in a later call, and so can others.
// expect: UNSAFE
extern void reach_error(void);
extern void (*take)(int *);
extern void later(void);
int main(void) {
  int x = 1;
  take(&x);
  x = 2;
  later();
  if (x == 3) reach_error();
  return 0;
}
