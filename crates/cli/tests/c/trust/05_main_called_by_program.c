// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
int g; int main(int c,char**v){ if(c==5) return main(4,v); g=1; if(v) *(int*)v=2; if(g==2) E; return 0; }
