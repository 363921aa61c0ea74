// options: --entry f --params distinct
// expect: UNSAFE
extern void reach_error(void);
int pub;
int f(int **pp) {
  pub = 1;
  if (*pp) **pp = 4;
  if (pub == 4) reach_error();
  return 0;
}
