// expect: SAFE
/* A pointer converted to a narrower integer is cut. */
extern void reach_error(void);
int main(void) { int x; if ((unsigned char)(unsigned long)&x != ((unsigned long)&x & 0xff)) reach_error(); return 0; }
