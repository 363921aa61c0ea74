// expect: SAFE
// options: --target arm-none-eabi
extern void reach_error(void);
typedef int four __attribute__((vector_size(16)));
struct aligned { char c; } __attribute__((aligned));
struct holder { char c; four v; };
int main(void) {
    if (sizeof(struct aligned) != 8 || _Alignof(four) != 8 || sizeof(struct holder) != 24) reach_error();
    return 0;
}
