// `read` writes no more than it is told to, and gives no more.
// expect: SAFE
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  struct { char b[8]; int x; } s;
  s.x = 7;
  long n = read(0, s.b, 8);
  if (s.x != 7 || n > 8 || n < -1) reach_error();
  return 0;
}
