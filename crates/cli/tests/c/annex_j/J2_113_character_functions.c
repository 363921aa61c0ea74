// expect: SAFE
/* For characters they say what the C locale says. */
extern int nd(void);
extern void reach_error(void);
extern int isdigit(int);
int main(void) { unsigned char c = nd(); if (!isdigit(c) != !(c >= '0' && c <= '9')) reach_error(); return 0; }
