// expect: SAFE
/* The text that `getenv` gives is memory that can be written. */
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *text = getenv("HOME");
    if (text && *text) {
        *text = 'x';
        if (*text != 'x') reach_error();
    }
    return 0;
}
