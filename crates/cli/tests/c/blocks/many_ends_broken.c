// expect: UNSAFE
// options: --engine abstraction --block basic --no-invgen
/* A block with many ends. */
extern int nd(void);
extern void reach_error(void);
static int lock;
int main(void) {
  while (1) {
    int c = nd();
    if (c == 1) { if (lock) continue; lock = 1; }
    else if (c == 2) { if (!lock) continue; lock = 0; }
    else if (c == 3) break;
    if (lock != 0 && lock != 2) reach_error();
  }
  return lock;
}
