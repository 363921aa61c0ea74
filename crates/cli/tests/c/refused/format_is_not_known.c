// expect: UNKNOWN
// reason: accesses by a format that is not known
// options: --check null
extern int nd(void);
extern void reach_error(void);
#include <stdio.h>
int main(int argc, char **argv) {
  if (argc < 1) return 0;
  printf(argv[0], 1);
  return 0;
}
