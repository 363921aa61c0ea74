// expect: SAFE
/* CHAR_BIT is 8 and plain char is signed. */
extern int nd(void);
extern void reach_error(void);
int main(void) { unsigned char c = 255; c++; if (c != 0 || (char)200 != -56) reach_error(); return nd(); }
