// expect: SAFE
// unknown: abstraction: finds no predicate about the element
// options: --entry f
// At an entry other than `main` too: nobody can have changed it.
extern void reach_error(void);
static int sizes[4] = {1, 2, 4, 8};
static struct { char name[4]; int code; } table[2] = {{"ab", 3}, {"cd", 4}};

int f(unsigned i, unsigned j)
{
    if (i < 4 && sizes[i] == 3)
        reach_error();
    if (j < 2 && (table[j].code > 4 || table[j].name[2] != 0))
        reach_error();
    return 0;
}
