// expect: SAFE
/* A floating number that fits is converted to the integer that it is without its fraction. */
extern void reach_error(void);
double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x > 2.0 && x < 3.0)) return 0;
    if ((int)x != 2) reach_error();
    return 0;
}
