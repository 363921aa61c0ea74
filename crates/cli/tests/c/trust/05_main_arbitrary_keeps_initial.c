// options: --globals arbitrary
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
static int a; static int*p=&a; void rst(int*q){ p=q; } int main(void){ a=1; if(p&&p!=&a){ *p=7; } else if(p){ *p=2; if(a==2) E; } return 0; }
