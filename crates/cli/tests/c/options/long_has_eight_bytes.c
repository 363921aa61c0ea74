// expect: SAFE
// options: --data-model LP64
#include <assert.h>
int main(void) {
    assert(sizeof(long) == 8);
    return 0;
}
