// expect: UNSAFE
// options: --entry operation --params tree
struct bus {
    int number;
};

struct device {
    int state;
    struct bus *bus;
};

extern void assert(int);

void operation(struct device *device)
{
    struct bus *bus = device->bus;

    assert(bus != 0);
    bus->number = 1;
}
