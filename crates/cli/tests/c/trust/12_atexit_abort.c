// expect: SAFE
#include <stdlib.h>
extern void reach_error(void);
static void last(void) { reach_error(); }
int main(void) {
  atexit(last);
  abort();
}
