// expect: SAFE
// What strlen says about a text is part of the proof: it ends with a zero byte, and no byte before that is one.
#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

static char name[80];

static void read_name(char *into) {
    into[0] = __VERIFIER_nondet_char();
    into[1] = __VERIFIER_nondet_char();
    into[2] = __VERIFIER_nondet_char();
    into[3] = 0;
}

int main(void) {
    read_name(name);
    const char *text = name;
    size_t n = strlen(text);
    assert(n <= 3);
    if (n == 2)
        assert(text[1] != 0 && text[2] == 0);
    return 0;
}
