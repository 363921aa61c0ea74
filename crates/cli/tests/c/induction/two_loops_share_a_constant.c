// expect: UNSAFE
// without: abstraction, which needs many rounds
int nd(void);
void reach_error(void);

static int step = 1;

int main(void)
{
    int n = 0;
    while (nd() && n < 5)
        n += step;
    if (n == 3)
        step = 4;
    while (nd() && n < 5)
        n += step;
    if (n == 7)
        reach_error();
    return 0;
}
