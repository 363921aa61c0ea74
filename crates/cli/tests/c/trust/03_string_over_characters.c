// expect: UNSAFE
// A string replaces the characters that were there, its own zeroes included.
extern void reach_error(void);

struct T { char name[6]; int k; };

int main(void) {
    struct T t = {.name[4] = 'x', .name = "ab", .name[1] = 'c'};
    if (t.name[0] == 'a' && t.name[1] == 'c' && t.name[4] == 0) reach_error();
    return 0;
}
