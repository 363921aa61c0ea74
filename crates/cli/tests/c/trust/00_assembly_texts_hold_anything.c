// expect: UNSAFE
extern void reach_error(void);
extern const char name_f[];
__asm__(".section \"names\",\"a\"\nname_f:\n\t.asciz \"f\"\n\t.previous\n");
int main(void) {
    if (name_f[0] == 'f') reach_error();
    return 0;
}
