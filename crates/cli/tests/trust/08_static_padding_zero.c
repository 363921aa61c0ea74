// expect: SAFE
// Objects of static storage begin with zeroes in their padding.
extern void reach_error(void);

struct S { char c; long l; };
static struct S zero, set = {1, 2};

int main(void) {
    static const struct S local = {3, 4};
    for (unsigned i = 1; i < sizeof(long); i++)
        if (((unsigned char *)&zero)[i] || ((unsigned char *)&set)[i] || ((const unsigned char *)&local)[i])
            reach_error();
    return 0;
}
