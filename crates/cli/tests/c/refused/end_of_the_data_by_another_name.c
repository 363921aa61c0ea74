// expect: UNKNOWN
// reason: symbol of the linker
extern void reach_error(void);
static int last;
extern char behind_all[] __asm__("_end");
int main(void) {
    if (behind_all == (char *)(&last + 1)) reach_error();
    return 0;
}
