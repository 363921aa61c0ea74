// options: --check null
// expect: UNSAFE
extern int nd(void);
struct N { struct N *next; int v; };
static int two(int a, struct N *n) { return a + (n ? n->v : 0); }
int main(void) {
    struct N a = { 0, 1 }, b = { nd() ? &a : 0, 2 }, *h = &b;
    return two(h->next->v, h++);
}
