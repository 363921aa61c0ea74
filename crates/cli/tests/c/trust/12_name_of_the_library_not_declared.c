// Without parameters that are declared it is the function that its name says.
// expect: SAFE
extern void reach_error(void);
void *memset();
int main(void) {
  int x = 1;
  memset(&x, 0, sizeof x);
  if (x) reach_error();
  return 0;
}
