// expect: SAFE
extern void reach_error(void);
struct S { int x, y; } s;
int main(void) { if (!(&s.x < &s.y)) reach_error(); return 0; }
