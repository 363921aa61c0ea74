// options: --data-model ILP32
// expect: SAFE
// The same member of a union is continued, another one replaces it.
extern void reach_error(void);

union U { struct { short a, b; } s; unsigned w; };
static union U same = {.s.a = 1, .s.b = 2};
static union U other = {.s.a = 1, .s.b = 2, .w = 5};

int main(void) {
    if (same.s.a != 1 || same.s.b != 2) reach_error();
    if (other.s.b != 0 || other.s.a != 5) reach_error();
    return 0;
}
