// expect: UNSAFE
// A variable of a type whose alignment was lowered can lie anywhere.
extern void reach_error(void);

typedef int ui __attribute__((aligned(1)));

int main(void) {
    ui x = 5;
    if (((unsigned long)&x & 3) != 0) reach_error();
    return x - 5;
}
