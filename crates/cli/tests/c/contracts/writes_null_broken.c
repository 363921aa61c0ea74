// expect: UNSAFE
// options: --contracts forms.contracts
// The call with a null pointer returns.
extern void reach_error(void);
struct word { int value; int more; };
extern int read_word(struct word *);

int main(void)
{
    read_word(0);
    reach_error();
    return 0;
}
