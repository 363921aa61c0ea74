// expect: UNSAFE
extern void reach_error(void);
extern void fill(int *);
static int t[4] = {1, 2, 3, 4};
int main(void) { fill(t + 1); if (t[0] == 9) reach_error(); return 0; }
