// expect: SAFE
extern void reach_error(void);
// Declared by a header, and used by nobody.
extern int __start_foo[], _end[];
int x __attribute__((section("foo"))) = 1;
int main(void) {
    if (x != 1) reach_error();
    return 0;
}
