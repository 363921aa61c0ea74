// expect: UNSAFE
// options: --check pointer --data-model ILP32
// No element is accessed: only its address is taken.
extern unsigned nd(void);
struct s { int x; char t[12]; } v[4];

int main(void)
{
    unsigned n = nd();
    struct s *p = v;
    int *r = &p[n].x;

    return *r;
}
