// expect: UNSAFE
// options: --entry operation --params tree
struct bus {
    char name[8];
    int number;
};

struct device {
    struct bus *bus;
};

extern void assert(int);

void operation(struct device *device, unsigned i)
{
    if (device->bus && i < 8 && device->bus->name[i] == 'x')
        assert(device->bus->number != 7);
}
