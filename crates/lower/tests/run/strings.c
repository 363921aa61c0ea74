/* String functions spelt out over their bytes against the same functions on pointers, and every contract of a library function
   on random arguments: a contract that does not hold ends the run before `main` does. */
void reach_error(void);
unsigned long strlen(const char *);
unsigned long strnlen(const char *, unsigned long);
unsigned long strspn(const char *, const char *);
unsigned long strcspn(const char *, const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, unsigned long);
int strcasecmp(const char *, const char *);
int memcmp(const void *, const void *, unsigned long);
void *memchr(const void *, int, unsigned long);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strpbrk(const char *, const char *);
long strtol(const char *, char **, int);
int sprintf(char *, const char *, ...);
int snprintf(char *, unsigned long, const char *, ...);
int toupper(int);
int tolower(int);
int isalpha(int);
int isdigit(int);
int isspace(int);
int isupper(int);
int islower(int);
int isalnum(int);
int isxdigit(int);
int isprint(int);
int ispunct(int);
int iscntrl(int);
int isgraph(int);
int isblank(int);

static unsigned seed = 12345;

static unsigned any(unsigned n) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}

static void same(long a, long b) {
    if (a != b) reach_error();
}

static long sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

static const char known[] = "ab\0ba";
static char a[9], b[70];

static void fill(char *s, unsigned n) {
    for (unsigned i = 0; i + 1 < n; i++) s[i] = "ab\0\377"[any(20) ? any(2) : 2 + any(2)];
    s[n - 1] = 0;
}

static void strings(void) {
    char c[5], *p = a, *q = b, *r = c;
    fill(a, any(9) + 1);
    fill(b, any(12) + 1);
    fill(c, any(5) + 1);
    same(strlen(a), strlen(p));
    same(strlen(c), strlen(r));
    same(strlen(&a[2]), strlen(&p[2]));
    same(strlen("ab\0ba"), 2);
    same(strlen(known + 3), 2);
    same(strnlen(a, 3), strnlen(p, any(2) ? 3 : 3));
    same(strnlen(q, 4), strlen(q) < 4 ? strlen(q) : 4);
    same(sign(strcmp(a, q)), sign(strcmp(p, q)));
    same(sign(strcmp(q, a)), sign(strcmp(q, p)));
    same(sign(strcmp(a, c)), sign(strcmp(p, r)));
    same(sign(strcmp(p, "aba")), -sign(strcmp("aba", p)));
    fill(c, 4);
    c[0] = 'a', c[1] = 'b', c[2] = "ab\0"[any(3)];
    same(sign(strcmp(p, "ab")), p[0] != 'a' ? sign((unsigned char)p[0] - 'a') : p[1] != 'b' ? sign((unsigned char)p[1] - 'b') : p[2] != 0);
    same(sign(strcmp(p, known)), sign(strcmp(p, "ab")));
    for (unsigned n = 0; n < 6; n++) same(sign(strncmp(a, c, n)), sign(strncmp(p, r, n)));
    same(sign(strncmp(q, p, 3)), -sign(strncmp(a, q, 3)));
    same(sign(strncmp(q, "abab", 3)), sign(strncmp(q, "abaa", 3)));
    unsigned n = 4;
    same(sign(memcmp(a, p, 4)), 0);
    same(sign(memcmp(q, c, 4)), sign(memcmp(q, r, n + any(1))));
    same(memcmp(a, b, 0), 0);
}

static void contracts(void) {
    char *p = a, *q = b, *end;
    int x = (int)any(258) - 1;
    fill(a, any(9) + 1);
    fill(b, any(12) + 1);
    strspn(q, p), strcspn(q, p), strcasecmp(p, q);
    memchr(q, 'b', any(9)), strchr(q, 'b'), strrchr(q, x), strstr(q, p), strpbrk(q, p);
    b[0] = '0' + any(10), b[1] = "xa"[any(3)];
    same(strtol(q, &end, 10), b[0] - '0');
    same(end - q, 1);
    same(sprintf(q, "%d", x), x < 0 || x > 9 ? x > 99 ? 3 : 2 : 1);
    same(isalpha(x) != 0, isupper(x) || islower(x));
    same(isalnum(x) != 0, isalpha(x) || isdigit(x));
    same(isprint(x) != 0, isgraph(x) || x == ' ');
    same(isgraph(x) != 0, isalnum(x) || ispunct(x));
    same(isspace(x) && !isblank(x), x >= 10 && x <= 13);
    same(isxdigit(x) && !isdigit(x), toupper(x) >= 'A' && toupper(x) <= 'F');
    same(iscntrl(x) != 0, x >= 0 && x < 128 && !isprint(x));
    same(tolower(x) != x, isupper(x) != 0);
}

static void printed(void) {
    char *p = a, *format = "%s: %s%%";
    static char c[70], d[70];
    fill(a, any(9) + 1);
    unsigned n = any(12);
    fill(c, 70), fill(d, 70);
    for (int i = 0; i < 70; i++) d[i] = c[i];
    same(sprintf(c, "%s: %s%%", p, "x"), sprintf(d, format, p, "x"));
    for (int i = 0; i < 70; i++) same(c[i], d[i]);
    same(snprintf(c, n, "%s: %s%%", p, "x"), snprintf(d, n, format, p, "x"));
    for (int i = 0; i < 70; i++) same(c[i], d[i]);
    int x = (int)(any(70000) * any(70000)) - 35000;
    char *numbers = "%d|%+5u%#x%.3o%05hd%-4hhu%c%s", *long_number = "%9lld";
    same(sprintf(c, "%d|%+5u%#x%.3o%05hd%-4hhu%c%s", x, x, x, x, x, x, 'a' + x % 5, p), sprintf(d, numbers, x, x, x, x, x, x, 'a' + x % 5, p));
    for (int i = 0; i < 70; i++) same(c[i], d[i]);
    same(snprintf(c, n, "%9lld", x * 300000ll), snprintf(d, n, long_number, x * 300000ll));
    for (int i = 0; i < 70; i++) same(c[i], d[i]);
    same(sprintf(c, "plain"), 5);
    same(snprintf(c, 3, ""), 0);
    same(c[0], 0);
}

int main(void) {
    for (int i = 0; i < 50; i++) printed();
    for (int i = 0; i < 200; i++) strings();
    for (int i = 0; i < 600; i++) contracts();
    return 0;
}
