int open(const char *, int, ...);
int close(int);
int nondet(void);

int safe_once(void)
{
    int p = open("a", 0);

    if (p < 0)
        return -1;
    close(p);
    return 0;
}

int safe_two(void)
{
    int p = open("a", 0);
    int q;

    if (p < 0)
        return -1;
    q = open("a", 0);
    if (q < 0) {
        close(p);
        return -1;
    }
    close(q);
    close(p);
    return 0;
}

void broken_twice(void)
{
    int p = open("a", 0);

    if (p < 0)
        return;
    close(p);
    if (nondet())
        close(p);
}

void broken_unchecked(void)
{
    int p = open("a", 0);

    close(p);
}

int broken_lost(int n)
{
    int p = open("a", 0);

    if (p < 0)
        return -1;
    if (n < 0)
        return -2;
    close(p);
    return 0;
}

static int kept;

int safe_kept(void)
{
    int p = open("a", 0);

    kept = p;
    return 0;
}

int safe_returned(void)
{
    return open("a", 0);
}
