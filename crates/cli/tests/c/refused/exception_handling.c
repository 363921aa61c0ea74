// expect: UNKNOWN
// reason: structured exception handling (`__try`)
extern void reach_error(void);
int main(void) {
    int x = 0;
    __try {
        x = 1;
        if (x) __leave;
    }
    __finally {
        x = 2;
    }
    if (x != 2) reach_error();
    return 0;
}
