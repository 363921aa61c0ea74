// options: --volatile nondet
// expect: UNSAFE
// `T t = *reg`, and two reads need not agree.
extern void reach_error(void);

struct T { unsigned char status, data; };

int main(void) {
    struct T memory = {0, 0};
    volatile struct T *reg = &memory;
    struct T a = *reg, b;
    b = *reg;
    if (a.status != b.status) reach_error();
    return 0;
}
