// expect: UNSAFE
// data-model: any
// inputs: 1 100 1 1
// The limit can be passed by one.
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int level = 0;

void raise(unsigned int by) {
    if (by <= 100 && level + by <= 101)
        level += by;
}

int main(void) {
    while (__VERIFIER_nondet_bool()) {
        unsigned int before = level;
        raise(__VERIFIER_nondet_uint());
        if (level < before || level > 100)
            reach_error();
    }
    return 0;
}
