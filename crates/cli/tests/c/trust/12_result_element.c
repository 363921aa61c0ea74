// expect: UNSAFE
// unknown: abstraction (the analysis of pointers knows no order: the path without the call-back looks feasible, and cannot be replayed)
extern void reach_error(void);
extern void reg(char *(*f)(int));
static char buffers[2][8];
static char *get(int i) { return buffers[i & 1]; }
int main(void) {
  reg(get);
  if (buffers[1][3] == 5) reach_error();
  return 0;
}
