// expect: UNSAFE
// options: --contracts forms.contracts
// One that may fail is null then.
extern void reach_error(void);
extern char *find_name(int);

int main(void)
{
    if (!find_name(1))
        reach_error();
    return 0;
}
