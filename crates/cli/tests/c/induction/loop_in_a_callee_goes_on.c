// expect: UNSAFE
// without: abstraction, which needs many rounds
int nd(void);
void reach_error(void);

static int n;

static void fill(void)
{
    while (nd())
        n++;
}

int main(void)
{
    while (1) {
        n = 0;
        fill();
        if (n == 40)
            reach_error();
    }
}
