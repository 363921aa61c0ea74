// expect: SAFE
// options: --contracts forms.contracts
// A result that is not null.
extern void reach_error(void);
extern char *get_name(int);

int main(void)
{
    if (!get_name(1))
        reach_error();
    return 0;
}
