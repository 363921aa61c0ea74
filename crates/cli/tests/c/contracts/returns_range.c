// expect: SAFE
// options: --contracts forms.contracts
// A result within bounds.
extern void reach_error(void);
extern int status(void);

int main(void)
{
    char used[256] = { 0 };
    if (used[status()])
        reach_error();
    return 0;
}
