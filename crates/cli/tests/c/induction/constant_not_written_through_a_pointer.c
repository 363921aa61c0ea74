// expect: SAFE
// without: abstraction, which needs many rounds
int nd(void);
void reach_error(void);

static int mode = 1, other, third;
static int *p = &other;

int main(void)
{
    while (1) {
        if (nd())
            p = &third;
        if (nd())
            *p = 2;
        if (mode == 2)
            reach_error();
    }
}
