// What the outside can call keeps the bound.
// options: --externs any
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static unsigned s;
static void set(unsigned v) { s = v % 10; }
struct { int id; void (*h)(unsigned); } driver = {3, set};
int main(void) {
  s = 1;
  nd();
  if (s >= 10) reach_error();
  return 0;
}
