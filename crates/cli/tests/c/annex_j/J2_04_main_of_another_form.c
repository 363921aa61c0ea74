// expect: UNSAFE
/* A parameter of a `main` of another form is any value. */
extern void reach_error(void);
int main(int a) { if (a == -5) reach_error(); return 0; }
