// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) {
  if (nd()) __builtin_trap();
  if (__builtin_popcount(7u) != 3) reach_error();
  return 0;
}
