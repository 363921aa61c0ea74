// expect: SAFE
/* A `_Bool` is stored as 0 or 1, whatever was converted to it. */
extern void reach_error(void);
int nd(void);
int main(void) {
    _Bool b = nd();
    unsigned char *bytes = (unsigned char *)&b;
    if (*bytes > 1) reach_error();
    return 0;
}
