// expect: SAFE
/* Kernels call the functions around instructions as these are called: the template names no function. */
extern void reach_error(void);
static int count;
static inline unsigned char inb(int port) {
    unsigned char value;
    __asm__ volatile("1:\tinb %w1, %b0" : "=a"(value) : "Nd"(port));
    return value;
}
static inline void outb(unsigned char value, int port) {
    __asm__ volatile("rep; outb %b0, %w1" : : "a"(value), "Nd"(port));
}
int main(void) {
    count = 1;
    outb(inb(0x60), 0x61);
    if (count != 1) reach_error();
    return 0;
}
