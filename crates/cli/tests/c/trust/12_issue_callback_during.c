// expect: UNSAFE
extern void reach_error(void);
extern void visit(void (*f)(int));
static int sum;
static void add(int x) { sum += x; }
int main(void) {
  visit(add);
  if (sum == 42) reach_error();
  return 0;
}
