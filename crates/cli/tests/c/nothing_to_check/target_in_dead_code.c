// expect: SAFE
extern void reach_error(void);
int main(void) {
    if (0) reach_error();
    return 0;
}
