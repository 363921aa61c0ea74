// expect: SAFE
// unknown: abstraction: what `strchr` finds in a text that long has no formula
extern void reach_error(void);
unsigned long strlen(const char *);
char *strchr(const char *, int);
static const char known[] = "abc";
static char text[] = "a long text with many characters in it: xyz";
int main(void) {
    char *p = text;
    if (strlen(known) != 3 || strchr(p, 'z') - p != 42 || strlen(p) != 43) reach_error();
    return 0;
}
