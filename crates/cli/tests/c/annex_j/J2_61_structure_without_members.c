// expect: SAFE
/* A structure without members has no bytes. */
extern void reach_error(void);
struct S {};
int main(void) { if (sizeof(struct S) != 0) reach_error(); return 0; }
