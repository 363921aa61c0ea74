// expect: SAFE
extern void reach_error(void);
int main(void) {
  int *p = (int[]){1, 2}, *q = (int[]){1, 2};
  const int *r = (const int[]){1, 2}, *s = (const int[]){1, 3};
  if (p == q || r == s) reach_error();
  return 0;
}
