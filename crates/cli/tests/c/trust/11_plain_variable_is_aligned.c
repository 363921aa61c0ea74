// expect: SAFE
extern void reach_error(void);

int main(void) {
    int x = 5;
    if (((unsigned long)&x & 3) != 0) reach_error();
    return x - 5;
}
