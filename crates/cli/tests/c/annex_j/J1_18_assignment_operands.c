// expect: SAFE
/* a op= b reads a after b was evaluated. */
extern void reach_error(void);
static int a = 1;
static int set(void) { a = 10; return 1; }
int main(void) { a += set(); if (a != 11) reach_error(); return 0; }
