// Which of two zeroes `fmin` gives is open; glibc gives the first here.
// expect: UNSAFE
extern void reach_error(void);
extern double fmin(double, double);

int main(void) {
    double least = fmin(-0.0, 0.0);
    if (1.0 / least < 0.0) reach_error();
    return 0;
}
