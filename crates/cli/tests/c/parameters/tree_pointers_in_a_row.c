// expect: SAFE
// options: --entry operation --params tree
// One step follows several pointers: that is no list.
struct bus {
    int number;
};

struct device {
    struct bus *bus;
};

struct file {
    struct device *device;
};

extern void assert(int);

void operation(struct file *file, struct file *other)
{
    file->device->bus->number = 1;
    other->device->bus->number = 2;
    assert(file->device->bus->number == 1);
}
