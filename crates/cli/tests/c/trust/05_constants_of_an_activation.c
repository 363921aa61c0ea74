// expect: SAFE
extern int nd(void);
extern void reach_error(void);
struct S { int a, b; };
void take(const void *);
static int f(const int k) { take(&k); return k; }
int main(void) {
  const int x = 1, t[3] = {1, 2, 3};
  const struct S s = {1, 2};
  const int *lit = (const int[]){4, 5};
  take(&x);
  take(t);
  take(&s);
  take(lit);
  if (x != 1 || t[1] != 2 || s.b != 2 || lit[1] != 5) reach_error();
  if (f(3) != 3) reach_error();
  return 0;
}
