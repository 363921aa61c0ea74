// expect: SAFE
// options: --data-model LLP64
extern void reach_error(void);
struct bits { int a : 3; char b : 2; int c : 4; };
typedef unsigned __int64 ULONG64;
__declspec(align(16)) static char aligned;
static __declspec(noinline) __int8 narrow(__int16 wide) { return (__int8)wide; }
int main(void) {
    if (sizeof(long) != 4 || sizeof(void *) != 8 || sizeof(sizeof 1) != 8 || sizeof(L'a') != 2) reach_error();
    if (sizeof(struct bits) != 12 || sizeof(__int32) != 4) reach_error();
    ULONG64 big = 1;
    big <<= 40;
    if (big != 0x10000000000 || ((ULONG64)&aligned & 15) != 0) reach_error();
    if (narrow(0x102) != 2) reach_error();
    unsigned long wraps = 0xffffffff;
    wraps++;
    if (wraps) reach_error();
    return 0;
}
