// expect: SAFE
// options: --contracts forms.contracts
// A number that says that a function failed is negative.
extern void reach_error(void);
extern int start(int *);

int main(void)
{
    int x = 3;
    if (start(&x) > 0 || x != 3)
        reach_error();
    return 0;
}
