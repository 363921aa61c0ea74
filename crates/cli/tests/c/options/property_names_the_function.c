// expect: UNSAFE
// options: --property bad.prp
// reason: `bad` is called at property_names_the_function.c:7:5
extern void reach_error(void), bad(void);
int main(void) {
    reach_error();
    bad();
    return 0;
}
