// expect: SAFE
/* One literal evaluated twice is the same array. */
extern void reach_error(void);
static const char *text(void) { return "abc"; }
int main(void) { if (text() != text()) reach_error(); return 0; }
