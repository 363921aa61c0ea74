// expect: SAFE
// options: --check bounds,pointer
extern unsigned long nd(void);
int v[4][4];
struct s { int x; char t[12]; } w[4];

int main(void)
{
    unsigned long n = nd(), m = nd();

    if (n >= 4 || m >= 4)
        return 0;
    int *q = v[n], *r = &w[m].x;
    char *t = w[n].t;
    return q[m] + *r + v[n][m] + t[m];
}
