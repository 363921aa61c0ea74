// options: --globals arbitrary
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
int*p; int x; int main(void){ x=1; if(!p) return 0; *p=2; if(x==2) E; return 0; }
