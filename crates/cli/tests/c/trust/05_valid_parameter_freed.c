// options: --entry f --check free --params valid
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
#include <stdlib.h>
char g[4]; void f(char*p){ free(p); }
