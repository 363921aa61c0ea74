// expect: UNSAFE
/* Kernels call the functions around instructions as these are called: what they give is any value. */
extern void reach_error(void);
static inline unsigned char inb(int port) {
    unsigned char value;
    __asm__ volatile("inb %w1, %b0" : "=a"(value) : "Nd"(port));
    return value;
}
int main(void) {
    if (inb(0x60) == 77) reach_error();
    return 0;
}
