// options: --data-model ILP32
// expect: UNSAFE
// The bit-fields of a range of small packed structures are each written where they lie.
extern int nd(void);
extern void reach_error(void);

struct __attribute__((packed)) R { short m : 5; };

int main(void) {
    int n = nd();
    struct R x[2] = {[0 ... 1] = {3}};
    if (x[1].m == 3 && n == 4) reach_error();
    return 0;
}
