// expect: UNSAFE
// options: --engine concrete
// without: abstraction, the engine is the point
// Six numbers in a row that no random input has: each is found by itself, because it leads to a step that no run has made before.
extern int nd(void);
extern void reach_error(void);
int main(void) {
    int open = 0;
    if (nd() != 918273) return 0;
    open++;
    if (nd() != -55443) return 0;
    open++;
    if (nd() != 20261) return 0;
    open++;
    if (nd() != 777001) return 0;
    open++;
    if (nd() != 424243) return 0;
    open++;
    if (nd() + 5 != 13571) return 0;
    if (open == 5) reach_error();
    return 0;
}
