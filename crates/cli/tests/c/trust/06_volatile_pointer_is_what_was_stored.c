// options: --volatile nondet
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
int main(void){ int x=1; int*volatile p=&x; *p=2; if(x==2) E; return 0; }
