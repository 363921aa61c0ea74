// expect: UNSAFE
// options: --engine abstraction --block large --no-invgen
/* Two variables agree at the head of a loop, and in the middle of its body they do not. */
extern int nd(void);
extern void reach_error(void);
int main(void) {
  int x = 0, y = 0;
  while (nd()) {
    if (x == 0) { x = 1; y = 2; } else { x = 0; y = 0; }
  }
  if (x != y) reach_error();
  return 0;
}
