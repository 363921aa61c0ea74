// expect: SAFE
// data-model: any
// A bit-field next to its neighbours in one word.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct b { unsigned x : 3, y : 5, z : 8; };
int main(void) {
    struct b b;
    unsigned v = __VERIFIER_nondet_int();
    b.x = 5;
    b.z = 200;
    b.y = v;
    if (b.x != 5 || b.z != 200 || b.y != (v & 31)) reach_error();
    return 0;
}
