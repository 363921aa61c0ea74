// expect: SAFE
extern void reach_error(void);
// As EXPORT_SYMBOL of some kernels: constants that lie apart, declared in C.
extern const char name_f[], space_f[];
int f(void) { return 3; }
__asm__(".section \"names\",\"aMS\",%progbits,1\nname_f:\n\t.asciz \"f\"\nspace_f:\n\t.asciz \"\"\n\t.previous\n");
__asm__("# a line that says nothing\n");
int main(void) {
    if (&name_f[0] == 0 || f() != 3) reach_error();
    return 0;
}
