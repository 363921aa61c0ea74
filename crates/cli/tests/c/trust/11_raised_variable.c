// expect: SAFE
extern void reach_error(void);

static char g __attribute__((aligned(16)));
typedef struct { char c; } wide __attribute__((aligned(8)));

int main(void) {
    wide w = {1};
    g = 1;
    if (((unsigned long)&g & 15) != 0) reach_error();
    if (((unsigned long)&w & 7) != 0) reach_error();
    return 0;
}
