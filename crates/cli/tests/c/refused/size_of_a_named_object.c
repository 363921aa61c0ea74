// expect: UNKNOWN
// reason: size of an object that the compiler may know
extern void reach_error(void);
int main(void) {
    char b[8];
    if (__builtin_object_size(b, 0) == 8) reach_error();
    return 0;
}
