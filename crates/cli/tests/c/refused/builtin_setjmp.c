// expect: UNKNOWN
// reason: setjmp or longjmp
extern int nd(void);
extern void reach_error(void);
static void *buf[5];
static int x;
int main(void) {
  if (__builtin_setjmp(buf)) reach_error();
  if (x++ < 1) nd();
  return 0;
}
