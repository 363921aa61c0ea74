// options: --entry f
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
int x; int f(void){ int*q=*(int*volatile*)0x40000000; if(!q) return 0; x=1; *q=2; if(x==2) E; return 0; }
