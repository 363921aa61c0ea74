// expect: UNSAFE
// Somebody was told of it.
extern void reach_error(void);
extern int *give(void);
extern void take(int *);
static int x;

int main(void)
{
    int *p;

    take(&x);
    p = give();
    if (p == &x)
        reach_error();
    return 0;
}
