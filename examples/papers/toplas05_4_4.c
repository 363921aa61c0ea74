// options: --entry main
//
// TOPLAS05, section 4.4.1: the interface of a boolean procedure. Formals (E_f) speak of formals and globals; what is returned
// (E_r) speaks of the result, of globals and of symbolic constants, and of formals only if they never change (PLDI01 4.5.3);
// the variables of a symbolic constant do not count; binding predicates x = 'x and g = 'g are inserted.
int g;

static int f(int x, int y) {
    int l = y;
    x = x + y;
    g = l;
    return l;
}

int main(void) {
    f(1, 2);
    return 0;
}
