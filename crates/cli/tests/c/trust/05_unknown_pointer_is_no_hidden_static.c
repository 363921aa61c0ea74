// expect: SAFE
// A pointer that nobody could know of leads elsewhere.
extern void reach_error(void);
extern int *give(void);
static int x;

int main(void)
{
    int *p = give();

    if (p == &x)
        reach_error();
    return 0;
}
