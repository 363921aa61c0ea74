// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
#include <sys/socket.h>
int main(void) {
  char b[4];
  long r = recv(0, b, 4, MSG_TRUNC);
  if (r > 4) reach_error();
  return 0;
}
