// expect: SAFE
// options: --check overflow
extern int nd(void);
int main(void) { unsigned x = nd(); return -x * 3u + x; }
