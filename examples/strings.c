// expect: UNKNOWN
// Something that hardbop cannot follow yet: it says what and where, at once, and claims nothing.
#include <assert.h>
#include <string.h>

int main(void) {
    const char *word = "abstraction";
    assert(strlen(word) == 11);
    return 0;
}
