// expect: UNSAFE
extern void reach_error(void);
int main(void) {
  const int *p = (const int[]){1, 2}, *q = (const int[]){1, 2};
  if (p == q) reach_error();
  return 0;
}
