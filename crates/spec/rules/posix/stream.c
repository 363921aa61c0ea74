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

static FILE *kept;

int safe_kept(void)
{
    FILE *p = fopen("a", "r");

    kept = p;
    return 0;
}

FILE *safe_returned(void)
{
    return fopen("a", "r");
}

struct reader {
    FILE *stream;
};

void safe_kept_by_structure(struct reader *reader)
{
    if (reader)
        reader->stream = fopen("a", "r");
}

void remember(FILE *);

void safe_given_away(void)
{
    FILE *p = fopen("a", "r");

    if (p)
        remember(p);
}

int broken_other_is_kept(void)
{
    FILE *p = fopen("a", "r");
    FILE *q = fopen("b", "r");

    kept = q;
    return p != 0;
}

int broken_local_copy(void)
{
    FILE *p = fopen("a", "r");
    FILE *copies[2];

    copies[0] = p;
    return copies[0] != 0;
}

void safe_kept_at_once(void)
{
    kept = fopen("a", "r");
}
