// It calls back the function that it is given.
// expect: UNSAFE
extern void reach_error(void);
extern void (*each)(void (*)(int), int);
static int sum;
static void add(int x) { sum = x; }
int main(void) {
  if (each) each(add, 3);
  if (sum == 12) reach_error();
  return 0;
}
