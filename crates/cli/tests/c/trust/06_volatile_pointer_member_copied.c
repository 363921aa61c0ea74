// options: --volatile nondet
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
struct D{int*volatile p; int n;}; int main(void){ int x=1; struct D d={&x,1}; struct D e=d; if(!e.p) return 0; int*q=e.p; *q=2; if(x==2) E; return 0; }
