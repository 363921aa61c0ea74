// expect: SAFE
/* Only one pattern of bits is zero. */
extern void reach_error(void);
int nd(void);
int main(void) {
    int x = nd();
    if (x == 0 && (x & ~0) != 0) reach_error();
    if (x == 0 && ~x != -1) reach_error();
    return 0;
}
