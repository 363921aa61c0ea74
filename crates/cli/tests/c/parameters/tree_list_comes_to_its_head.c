// expect: UNSAFE
// options: --entry operation --params tree
struct list {
    struct list *next;
};

struct device {
    int state;
    struct list items;
};

extern void assert(int);

int operation(struct device *device)
{
    struct list *p;
    int n = 0;

    for (p = device->items.next; p != &device->items; p = p->next)
        n++;
    assert(n != 1);
    return n;
}
