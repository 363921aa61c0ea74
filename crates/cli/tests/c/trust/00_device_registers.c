// options: --check null,bounds
// expect: SAFE
/* Registers at constant addresses are no objects of the program, wherever they lie. */
extern void reach_error(void);
extern int nd(void);
#define STATUS (*(volatile unsigned *)0x10000)
#define DATA (*(volatile unsigned *)0xfffff004u)
int g = 5;
int main(void) {
    STATUS = 1;
    DATA = STATUS & 3;
    if (g != 5)
        reach_error();
    return 0;
}
