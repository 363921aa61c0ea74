// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
void take(const int *);
int main(void) {
  int k = 1;
  const int *p = &k;
  take(p);
  if (k == 5) reach_error();
  return 0;
}
