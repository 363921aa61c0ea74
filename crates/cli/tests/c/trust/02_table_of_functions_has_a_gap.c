// options: --check null
// expect: UNSAFE
extern unsigned un(void);
static int f(void) { return 1; }
static int (*const table[2])(void) = {f};
int main(void) { return table[un() & 1](); }
