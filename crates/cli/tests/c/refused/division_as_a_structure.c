// expect: UNKNOWN
// reason: mathematical function
// options: --check div
extern int nd(void);
extern void reach_error(void);
#include <stdlib.h>
int main(void) {
  div_t d = div(7, nd() & 1);
  return d.quot;
}
