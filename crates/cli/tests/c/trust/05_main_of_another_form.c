// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
int g; int main(int a,int*p){ g=1; if(!p) return 0; *p=2; if(g==2) E; return 0; }
