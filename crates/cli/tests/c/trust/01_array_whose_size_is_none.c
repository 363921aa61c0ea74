// expect: SAFE
// options: --data-model ILP32
// Nothing as large finds room.
extern unsigned nd(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = nd();

    if (n != 0x40000001u)
        return 0;
    int a[n];
    a[0] = 1;
    if (sizeof a == 4)
        reach_error();
    return 0;
}
