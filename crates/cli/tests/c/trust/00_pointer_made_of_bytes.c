// expect: UNSAFE
extern void reach_error(void);
int main(void) {
    int x = 0, *p = &x, *q;
    for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i];
    *q = 7;
    if (x == 7) reach_error();
    return 0;
}
