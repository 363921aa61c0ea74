// options: --volatile nondet
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
#include <stdlib.h>
struct N{int v;}; static struct N*volatile head; int main(void){ struct N*x=malloc(sizeof *x); if(!x) return 0; x->v=1; head=x; struct N*h=head; if(h) h->v=2; if(x->v==2) E; return 0; }
