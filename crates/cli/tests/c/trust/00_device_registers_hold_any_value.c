// expect: UNSAFE
extern void reach_error(void);
#define STATUS (*(volatile unsigned *)0x10000)
int main(void) {
    if (STATUS == 77)
        reach_error();
    return 0;
}
