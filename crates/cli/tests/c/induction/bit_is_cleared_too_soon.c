// expect: UNSAFE
// without: abstraction, which needs many rounds
int nd(void);
void reach_error(void);

#define BUSY 4u

static unsigned flags;
static int users;

int main(void)
{
    while (1) {
        switch (nd()) {
        case 0:
            if (users < 3)
                users++;
            flags |= BUSY;
            break;
        case 1:
            if (users > 0 && --users <= 1)
                flags &= ~BUSY;
            break;
        default:
            flags ^= 1u;
        }
        if (users > 0 && !(flags & BUSY))
            reach_error();
    }
}
