// expect: UNKNOWN
// reason: nothing to check: 
#define NDEBUG
#include <assert.h>
int main(void) {
    assert(0);
    return 0;
}
