// expect: SAFE
extern void reach_error(void);
/* A program may have this name itself. */
typedef long long __int64;
static int declared(__int64 __int8) { return sizeof __int8; }
int main(void) {
    __int64 wide = 1;
    if (sizeof wide != 8 || declared(1) != 8) reach_error();
    return 0;
}
