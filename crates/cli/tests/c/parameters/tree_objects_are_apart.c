// expect: SAFE
// options: --entry operation --params tree
struct bus {
    int number;
};

struct device {
    int state;
    struct bus *bus;
};

extern void assert(int);

void operation(struct device *first, struct device *second)
{
    if (!first->bus || !second->bus)
        return;
    first->bus->number = 1;
    second->bus->number = 2;
    second->state = 3;
    assert(first->bus->number == 1);
}
