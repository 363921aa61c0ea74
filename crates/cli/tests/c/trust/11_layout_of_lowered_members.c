// options: --data-model ILP32
// expect: SAFE
// Layouts as gcc has them: a lowered typedef packs, `aligned` on a member does not lower without `packed`.
extern void reach_error(void);

typedef int ui __attribute__((aligned(1)));
typedef double ud __attribute__((aligned(2)));
struct A { char c; ui i; };
struct B { char c; int i __attribute__((aligned(1))); };
struct C { char c; int i __attribute__((packed, aligned(2))); };
struct D { char c; ud d; };
struct E { char c; struct A a; short s; };

int main(void) {
    if (sizeof(struct A) != 5 || __builtin_offsetof(struct A, i) != 1 || _Alignof(struct A) != 1) reach_error();
    if (sizeof(struct B) != 8 || __builtin_offsetof(struct B, i) != 4) reach_error();
    if (sizeof(struct C) != 6 || __builtin_offsetof(struct C, i) != 2) reach_error();
    if (sizeof(struct D) != 10 || __builtin_offsetof(struct D, d) != 2) reach_error();
    if (__builtin_offsetof(struct E, a) != 1 || sizeof(struct E) != 8) reach_error();
    return 0;
}
