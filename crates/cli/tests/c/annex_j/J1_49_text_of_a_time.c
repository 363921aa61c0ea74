// expect: UNSAFE
/* How long the text of a time is, is open. */
#include <time.h>
extern void reach_error(void);
int main(void) { struct tm t = {0}; char text[8]; if (strftime(text, 8, "%Y", &t) == 2) reach_error(); return 0; }
