// options: --volatile nondet
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
union U{int*volatile p; unsigned long u;}; int main(void){ int x=1; union U u; u.p=&x; int*q=u.p; if(q) *q=2; if(x==2) E; return 0; }
