// expect: SAFE
extern void reach_error(void);
int x;
int x;
int main(void) { if (x != 0) reach_error(); return 0; }
