// expect: SAFE
// Patterns of binary16 in memory, also of what is not a number.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);
int main(void) {
    unsigned short bits = __VERIFIER_nondet_ushort(), back;
    union { unsigned short bits; _Float16 number; } u;
    u.bits = bits;
    _Float16 copy = u.number, turned = -u.number;
    memcpy(&back, &copy, 2);
    if (back != bits) reach_error();
    memcpy(&back, &turned, 2);
    int infinite = (bits & 0x7fff) == 0x7c00, none = (bits & 0x7fff) > 0x7c00;
    if (!none && back != (bits ^ 0x8000)) reach_error();
    if ((copy != copy) != none) reach_error();
    if (!none && (copy > 65504.0f || copy < -65504.0f) != infinite) reach_error();
    return 0;
}
