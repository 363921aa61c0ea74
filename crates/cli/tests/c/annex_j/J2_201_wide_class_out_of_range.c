// expect: UNSAFE
/* What a class function of wide characters gives is open. */
#include <wctype.h>
extern void reach_error(void);
int main(void) { if (iswalpha((wint_t)-5)) reach_error(); return 0; }
