// expect: SAFE
/* The order is open; hardbop fixes it from left to right, and the table says so. */
extern void reach_error(void);
static int n;
static int next(void) { return ++n; }
int main(void) { int x = next() * 10 + next(); if (x != 12) reach_error(); return 0; }
