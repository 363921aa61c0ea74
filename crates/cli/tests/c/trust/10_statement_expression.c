// options: --check free
// expect: UNSAFE
int main(void) {
    int *p = ({
        int t = 5;
        &t;
    });
    return *p;
}
