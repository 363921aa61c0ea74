// expect: SAFE
// options: --target x86_64
extern void reach_error(void);
typedef int eight __attribute__((vector_size(32)));
struct aligned { char c; } __attribute__((aligned));
int main(void) {
    if (sizeof(struct aligned) != 16 || _Alignof(eight) != 32) reach_error();
    return 0;
}
