// expect: SAFE
/* A _Bool whose byte is 2 is read as "not zero". */
extern int nd(void);
extern void reach_error(void);
int main(void) { _Bool b; *(unsigned char *)&b = 2; if (!b) reach_error(); return nd(); }
