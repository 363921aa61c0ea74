// expect: UNSAFE
// options: --engine induction
// without: abstraction, which needs many rounds
/* States are codes: nothing bounds them, and each is reached from few others. */
int nd(void);
void reach_error(void);

enum { BEFORE = 16384, ACCEPT = 8192, HELLO = 8464, CERT = 8496, KEY = 8528, DONE = 8640, OK = 3 };

int main(void)
{
    int state = BEFORE, next = 0, seen = 0, resumed = nd();
    while (1) {
        int ok = nd();
        if (state == BEFORE) {
            state = ACCEPT;
        } else if (state == ACCEPT) {
            next = HELLO;
            state = DONE;
        } else if (state == HELLO) {
            seen = 1;
            next = resumed ? KEY : CERT;
            state = DONE;
        } else if (state == CERT) {
            if (seen == 1)
                seen = 2;
            next = KEY;
            state = DONE;
        } else if (state == KEY) {
            if (seen == 2)
                seen = 3;
            next = OK;
            state = DONE;
        } else if (state == DONE) {
            state = next;
        } else {
            if (state == OK && seen != 3)
                reach_error();
            if (ok)
                return 0;
        }
    }
}
