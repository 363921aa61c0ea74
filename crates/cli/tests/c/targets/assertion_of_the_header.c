// expect: UNSAFE
#include <assert.h>
int main(void) { assert(0); }
