typedef struct _IO_FILE FILE;
FILE *popen(const char *, const char *);
int pclose(FILE *);
int fclose(FILE *);
int nondet(void);

int safe_once(void)
{
    FILE *p = popen("ls", "r");

    if (!p)
        return -1;
    pclose(p);
    return 0;
}

int safe_two(void)
{
    FILE *p = popen("ls", "r");
    FILE *q;

    if (!p)
        return -1;
    q = popen("ls", "r");
    if (!q) {
        pclose(p);
        return -1;
    }
    pclose(q);
    pclose(p);
    return 0;
}

void broken_twice(void)
{
    FILE *p = popen("ls", "r");

    if (!p)
        return;
    pclose(p);
    if (nondet())
        pclose(p);
}

void broken_unchecked(void)
{
    FILE *p = popen("ls", "r");

    pclose(p);
}

int broken_lost(int n)
{
    FILE *p = popen("ls", "r");

    if (!p)
        return -1;
    if (n < 0)
        return -2;
    pclose(p);
    return 0;
}

void broken_fclose(void)
{
    FILE *p = popen("ls", "r");

    if (!p)
        return;
    fclose(p);
    pclose(p);
}

static FILE *kept;

int safe_kept(void)
{
    FILE *p = popen("ls", "r");

    kept = p;
    return 0;
}

FILE *safe_returned(void)
{
    return popen("ls", "r");
}
