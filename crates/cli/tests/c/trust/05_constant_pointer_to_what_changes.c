// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
void take(int *const *);
int main(void) {
  int k = 1;
  int *const p = &k;
  take(&p);
  if (p != &k) return 0;
  if (k == 5) reach_error();
  return 0;
}
