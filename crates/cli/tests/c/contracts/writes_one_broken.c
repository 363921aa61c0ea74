// expect: UNSAFE
// options: --contracts forms.contracts
// All of it is written.
extern void reach_error(void);
struct word { int value; int more; };
extern int read_word(struct word *);

int main(void)
{
    struct word words[2] = { { 1, 2 }, { 3, 4 } };
    read_word(&words[0]);
    if (words[0].more != 2)
        reach_error();
    return 0;
}
