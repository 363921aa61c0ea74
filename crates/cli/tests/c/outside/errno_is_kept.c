// With `--externs pure` it leaves `errno` alone.
// expect: SAFE
// options: --externs pure
#include <errno.h>
extern void reach_error(void);
extern int (*op)(int);
int main(void) {
  errno = 0;
  if (op) op(1);
  if (errno == 5) reach_error();
  return 0;
}
