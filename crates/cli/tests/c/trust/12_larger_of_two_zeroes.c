// Which of two zeroes `fmax` gives is open; glibc gives the first here.
// expect: UNSAFE
extern void reach_error(void);
extern double fmax(double, double);

int main(void) {
    double most = fmax(0.0, -0.0);
    if (1.0 / most > 0.0) reach_error();
    return 0;
}
