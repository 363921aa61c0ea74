// expect: SAFE
extern void reach_error(void);
extern void walk(int *a, void (*f)(int *));
static int calls;
static void count(int *p) { if (calls < 3) calls++; }
int main(void) {
  int a[2] = {1, 2}, mine = 5;
  walk(a, count);
  if (mine != 5 || calls > 3) reach_error();
  return 0;
}
