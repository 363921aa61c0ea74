// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
#include <string.h>
int main(void) {
  char *a = strerror(99999);
  if (!a) return 0;
  char c = a[14];
  strerror(88888);
  if (a[14] != c) reach_error();
  return 0;
}
