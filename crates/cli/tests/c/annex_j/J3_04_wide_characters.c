// expect: SAFE
/* wchar_t is a signed 32-bit int. */
extern int nd(void);
extern void reach_error(void);
int main(void) { if (sizeof(L'a') != 4 || L'\xffffffff' >= 0) reach_error(); return nd(); }
