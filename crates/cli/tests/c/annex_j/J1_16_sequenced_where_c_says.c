// expect: SAFE
/* &&, ||, ?: and the comma are sequenced. */
extern int nd(void);
extern void reach_error(void);
int main(void) {
    int i = nd() & 7, j = i;
    int r = (i++, i) + (0 && i++) + (1 || i++);
    if (i != j + 1 || r != j + 2) reach_error();
    return 0;
}
