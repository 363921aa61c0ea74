// options: --check free
// expect: UNSAFE
extern int nd(void);
static char *kept;
static void keep(char *s) { kept = s; }
int main(void) {
    if (nd()) {
        char buf[4] = "abc";
        keep(buf);
    }
    return kept ? kept[1] : 0;
}
