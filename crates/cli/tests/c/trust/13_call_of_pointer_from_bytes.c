// expect: UNSAFE
/* A pointer to a function that went through bytes and a number is still that function. */
#include <stdint.h>
#include <string.h>
extern void reach_error(void);
static void fine(void) {}
static void fails(void) { reach_error(); }
int main(void) {
    void (*p)(void) = fine, (*q)(void);
    uintptr_t number = (uintptr_t)fails;
    unsigned char bytes[sizeof number];
    p();
    for (unsigned i = 0; i < sizeof number; i++)
        bytes[i] = ((unsigned char *)&number)[i];
    memcpy(&q, bytes, sizeof q);
    q();
    return 0;
}
