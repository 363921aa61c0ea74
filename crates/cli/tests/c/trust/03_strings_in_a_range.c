// expect: SAFE
// Every element of a range gets the string, in a local and in a compound literal.
extern void reach_error(void);

struct L { char text[3][4]; };

int main(void) {
    char a[3][4] = {[0 ... 2] = "abc"};
    const struct L *l = &(struct L){.text[0 ... 1] = "xy", .text[1][0] = 'z'};
    if (a[2][1] != 'b' || a[1][3] != 0) reach_error();
    if (l->text[0][0] != 'x' || l->text[1][0] != 'z' || l->text[1][1] != 'y' || l->text[2][0] != 0) reach_error();
    return 0;
}
