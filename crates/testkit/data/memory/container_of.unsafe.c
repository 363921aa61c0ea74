// expect: UNSAFE
// inputs: 0
// data-model: any
// From a pointer to a member back to the object that it lies in.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct list { struct list *next; };
struct item { int value; struct list link; int after; };
int main(void) {
    struct item it;
    int x = __VERIFIER_nondet_int();
    it.value = 5;
    it.after = 6;
    struct list *l = &it.link;
    struct item *back = (struct item *)((char *)l - __builtin_offsetof(struct item, link));
    back->value = x;
    if (it.value != 5) reach_error();
    return 0;
}
