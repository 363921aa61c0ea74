// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int s;
static void set(int v) { s = v; }
union slot { long number; void (*f)(int); };
union slot slots[2] = {{3}, {.f = set}};
int main(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
