// expect: SAFE
// options: --contracts forms.contracts
// What an argument points to is written, and nothing beside it.
extern void reach_error(void);
struct word { int value; int more; };
extern int read_word(struct word *);

int main(void)
{
    struct word words[2] = { { 1, 2 }, { 3, 4 } };
    int known = 5;
    if (read_word(&words[0]) > 0 || words[1].value != 3 || known != 5)
        reach_error();
    return 0;
}
