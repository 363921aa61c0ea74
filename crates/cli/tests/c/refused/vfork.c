// expect: UNKNOWN
// reason: processes
extern int nd(void);
extern void reach_error(void);
int vfork(void);
static int x;
int main(void) {
  if (vfork() == 0) x = 1;
  else if (x == 1) reach_error();
  return 0;
}
