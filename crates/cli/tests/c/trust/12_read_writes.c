// expect: UNSAFE
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  char b[8] = "abcdefg";
  long n = read(0, b, 8);
  if (n == 3 && b[2] == 'z') reach_error();
  return 0;
}
