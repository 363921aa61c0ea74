// expect: UNSAFE
// options: --check bounds
#include <string.h>
static void copy(const unsigned char *from, unsigned char *to) { memcpy(to, from, 2); }
static unsigned first(const unsigned char *text) { unsigned char byte; copy(text, &byte); return byte; }
int main(void) { unsigned char d[2] = { 1, 2 }; return first(d) == 7; }
