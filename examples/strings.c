// expect: UNKNOWN
// What proofs know of strlen is too little to decide this: hardbop says where it stopped, and claims nothing.
#include <assert.h>
#include <string.h>

int main(void) {
    const char *word = "abstraction";
    assert(strlen(word) == 11);
    return 0;
}
