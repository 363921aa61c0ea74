// expect: UNSAFE
extern int nd(void); extern unsigned long ndul(void); void reach_error(void);
#define E reach_error()
int main(void){ int x=1; unsigned long u; __asm__("leaq (%1),%0":"=r"(u):"r"(&x)); *(int*)u=2; if(x==2) E; return 0; }
