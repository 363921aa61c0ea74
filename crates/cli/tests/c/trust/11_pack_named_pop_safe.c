// expect: SAFE
extern void reach_error(void);
#pragma pack(push, outer, 2)
struct P { char c; int i; };
#pragma pack(push, inner, 1)
struct R { char c; int i; };
#pragma pack(pop, unknown)
struct S { char c; int i; };
#pragma pack(pop, outer)
struct Q { char c; int i; };
int main(void) {
    if (sizeof(struct P) != 6 || sizeof(struct R) != 5 || sizeof(struct S) != 6 || sizeof(struct Q) != 8) reach_error();
    return 0;
}
