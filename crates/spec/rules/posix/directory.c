struct __dirstream;
struct __dirstream *opendir(const char *);
int closedir(struct __dirstream *);
int nondet(void);

int safe_once(void)
{
    struct __dirstream *p = opendir("/");

    if (!p)
        return -1;
    closedir(p);
    return 0;
}

int safe_two(void)
{
    struct __dirstream *p = opendir("/");
    struct __dirstream *q;

    if (!p)
        return -1;
    q = opendir("/");
    if (!q) {
        closedir(p);
        return -1;
    }
    closedir(q);
    closedir(p);
    return 0;
}

void broken_twice(void)
{
    struct __dirstream *p = opendir("/");

    if (!p)
        return;
    closedir(p);
    if (nondet())
        closedir(p);
}

void broken_unchecked(void)
{
    struct __dirstream *p = opendir("/");

    closedir(p);
}

int broken_lost(int n)
{
    struct __dirstream *p = opendir("/");

    if (!p)
        return -1;
    if (n < 0)
        return -2;
    closedir(p);
    return 0;
}

static struct __dirstream *kept;

int safe_kept(void)
{
    struct __dirstream *p = opendir("/");

    kept = p;
    return 0;
}

struct __dirstream *safe_returned(void)
{
    return opendir("/");
}
