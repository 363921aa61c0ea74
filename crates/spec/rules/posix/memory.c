void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void *memset(void *, int, unsigned long);
int nondet(void);

int safe_once(void)
{
    char *p = malloc(8);

    if (!p)
        return -1;
    memset(p, 0, 8);
    free(p);
    return 0;
}

void safe_null(void)
{
    char *p = calloc(8, 1);

    free(p);
    if (!p)
        free(p);
}

void safe_grown(void)
{
    char *p = malloc(8), *q;

    q = realloc(p, 16);
    free(q ? q : p);
}

void broken_twice(void)
{
    char *p = malloc(8);

    free(p);
    if (nondet())
        free(p);
}

void broken_grown(void)
{
    char *p = malloc(8);

    if (!p)
        return;
    free(p);
    p = realloc(p, 16);
}

void broken_old_pointer(void)
{
    char *p = malloc(8), *q = realloc(p, 16);

    if (p && q) {
        free(p);
        free(q);
    }
}

void broken_unchecked(void)
{
    char *p = malloc(8);

    memset(p, 0, 8);
    free(p);
}
