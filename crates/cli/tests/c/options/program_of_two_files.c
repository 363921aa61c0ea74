// expect: UNSAFE
// files: other.part
extern void reach_error(void);
extern int other(int);
int main(void) {
    if (other(3) == 4) reach_error();
    return 0;
}
