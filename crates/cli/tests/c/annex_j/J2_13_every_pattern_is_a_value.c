// expect: SAFE
/* There are no trap representations: any bytes are an integer, which is itself. */
extern void reach_error(void);
int nd(void);
int main(void) {
    int x;
    unsigned char *bytes = (unsigned char *)&x;
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)nd();
    if (x != x) reach_error();
    return 0;
}
