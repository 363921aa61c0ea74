typedef struct _IO_FILE FILE;
FILE *fopen(const char *, const char *);
int fclose(FILE *);
int nondet(void);

int safe_once(void)
{
    FILE *p = fopen("a", "r");

    if (!p)
        return -1;
    fclose(p);
    return 0;
}

int safe_two(void)
{
    FILE *p = fopen("a", "r");
    FILE *q;

    if (!p)
        return -1;
    q = fopen("a", "r");
    if (!q) {
        fclose(p);
        return -1;
    }
    fclose(q);
    fclose(p);
    return 0;
}

void broken_twice(void)
{
    FILE *p = fopen("a", "r");

    if (!p)
        return;
    fclose(p);
    if (nondet())
        fclose(p);
}

void broken_unchecked(void)
{
    FILE *p = fopen("a", "r");

    fclose(p);
}

int broken_lost(int n)
{
    FILE *p = fopen("a", "r");

    if (!p)
        return -1;
    if (n < 0)
        return -2;
    fclose(p);
    return 0;
}
