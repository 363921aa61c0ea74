// expect: SAFE
// Nothing is read from outside: the program has one run, and that run is the proof.
extern void reach_error(void);

int main(void) {
    unsigned a = 1, b = 0;
    for (unsigned i = 0; i < 1000; i++) {
        a = (a + (i & 0xff)) % 65521;
        b = (b + a) % 65521;
    }
    if (a >= 65521 || b >= 65521) reach_error();
    return 0;
}
