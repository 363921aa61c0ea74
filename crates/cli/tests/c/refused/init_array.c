// expect: UNKNOWN
// reason: objects in the section .init_array
extern void reach_error(void);
static int s;
static void c(void) { s = 1; }
__attribute__((section(".init_array"), used)) static void (*p)(void) = c;
int main(void) {
    if (s == 1) reach_error();
    return 0;
}
