// expect: SAFE
// options: --signed-overflow undefined
/* Its only run does not count. */
extern void reach_error(void);
int m = 2147483647;
int main(void) {
    if (m + 1 < m) reach_error();
    return 0;
}
