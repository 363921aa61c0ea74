// options: --check free
// expect: UNSAFE
extern int nd(void);
struct pair { int a, b; };
int main(void) {
    struct pair *p = 0;
    switch (nd()) {
    case 1: {
        struct pair s = {1, 2};
        p = &s;
        if (nd())
            break;
        p = 0;
    }
    default:
        break;
    }
    return p ? p->b : 0;
}
