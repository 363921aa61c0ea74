// expect: SAFE
// options: --entry operation --params tree
struct bus {
    int number;
};

struct device {
    struct bus *bus;
};

static struct device *current;
static struct device table[2];

extern void assert(int);

void choose(struct device *device)
{
    current = device;
    table[0].bus = 0;
}

void operation(struct device *device)
{
    if (!current || !current->bus || !device->bus)
        return;
    current->bus->number = 1;
    device->bus->number = 2;
    assert(current->bus->number == 1);
}
