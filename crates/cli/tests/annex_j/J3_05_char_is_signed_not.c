// expect: UNSAFE
extern void reach_error(void);
int main(void) {
    char c = '\377';
    if (c == -1) reach_error();
    return 0;
}
