// expect: SAFE
// Bit-fields are overridden one by one, members of anonymous structures through the structure around them.
extern int nd(void);
extern void reach_error(void);

struct B { unsigned a : 3, b : 5; struct { int x, y; }; };

int main(void) {
    unsigned n = (unsigned)nd() & 7;
    struct B v = {.a = 7, .b = 9, .x = 4, .a = n, .y = 6, .x = 5};
    if (v.a != n || v.b != 9 || v.x != 5 || v.y != 6) reach_error();
    struct B w = {.b = 31, .y = 3, .b = 0};
    if (w.a || w.b || w.x || w.y != 3) reach_error();
    return 0;
}
