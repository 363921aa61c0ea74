// expect: SAFE
// options: --contracts forms.contracts
// A null pointer is written through by nobody.
extern void reach_error(void);
struct word { int value; int more; };
extern int read_word(struct word *);

int main(void)
{
    if (read_word(0) > 0)
        reach_error();
    return 0;
}
