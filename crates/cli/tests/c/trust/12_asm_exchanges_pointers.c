// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
int main(void){ int x=1; int*p=&x,*q=0; __asm__("xchgq %0,%1":"+r"(q),"+m"(p)); if(q){ *q=2; if(x==2) E; } return 0; }
