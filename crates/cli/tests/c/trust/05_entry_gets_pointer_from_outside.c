// options: --entry f
// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
int x; extern int*get(void); int f(void){ int*p=get(); if(!p) return 0; x=1; *p=2; if(x==2) E; return 0; }
