// expect: UNSAFE
// Popping a name undoes all that was pushed since then.
extern void reach_error(void);
#pragma pack(push, outer, 2)
struct P { char c; int i; };
#pragma pack(push, inner, 1)
struct R { char c; int i; };
#pragma pack(pop, outer)
struct Q { char c; int i; };
int main(void) {
    if (sizeof(struct Q) == 8) reach_error();
    return 0;
}
