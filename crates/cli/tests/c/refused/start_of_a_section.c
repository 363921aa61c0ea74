// expect: UNKNOWN
// reason: symbol of the linker
extern void reach_error(void);
int x __attribute__((section("foo"))) = 1;
extern int __start_foo[];
int main(void) {
    x = 1;
    __start_foo[0] = 5;
    if (x == 5) reach_error();
    return 0;
}
