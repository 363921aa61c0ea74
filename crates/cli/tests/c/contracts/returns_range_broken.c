// expect: UNSAFE
// options: --contracts forms.contracts
// The same with a claim too many.
extern void reach_error(void);
extern int status(void);

int main(void)
{
    if (status() == 255)
        reach_error();
    return 0;
}
