// expect: UNSAFE
// options: --contracts forms.contracts
// The same with a claim too many.
extern void reach_error(void);
extern int start(int *);

int main(void)
{
    int x = 3;
    if (start(&x) != 0)
        reach_error();
    return 0;
}
