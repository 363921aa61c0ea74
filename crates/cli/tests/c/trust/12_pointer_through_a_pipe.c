// expect: UNSAFE
// unknown: abstraction: the path that it finds has another address in the pipe
extern int nd(void);
extern void reach_error(void);
#include <unistd.h>
static int s;
int main(void) {
  int fd[2];
  struct { long tag; int *p; } m = {7, &s};
  int *q;
  if (pipe(fd)) return 0;
  if (write(fd[1], &m, sizeof m) != sizeof m) return 0;
  if (read(fd[0], &q, sizeof q) != sizeof q) return 0;
  s = 1;
  *q = 5;
  if (s == 5) reach_error();
  return 0;
}
