// expect: UNKNOWN
// reason: assembly that names variables or functions
/* Where the template names the function as something else than an instruction, what it does is not known. */
extern void reach_error(void);
int count;
void bump(void) { count++; }
int main(void) {
    __asm__ volatile("bump: nop");
    if (count) reach_error();
    return 0;
}
