// expect: UNKNOWN
// reason: objects that nobody initialises
// options: --target arm-none-eabi
extern void reach_error(void);
static int boots __attribute__((noinit));
int main(void) {
    if (boots != 0) reach_error();
    return 0;
}
