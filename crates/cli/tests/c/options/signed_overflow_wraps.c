// expect: UNSAFE
extern void reach_error(void);
int m = 2147483647;
int main(void) {
    if (m + 1 < m) reach_error();
    return 0;
}
