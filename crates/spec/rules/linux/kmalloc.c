void *kmalloc(unsigned long, unsigned int);
void kfree(const void *);
int nondet(void);

int safe_once(void)
{
    void *p = kmalloc(8, 0xcc0);

    if (!p)
        return -1;
    kfree(p);
    return 0;
}

int safe_two(void)
{
    void *p = kmalloc(8, 0xcc0);
    void *q;

    if (!p)
        return -1;
    q = kmalloc(8, 0xcc0);
    if (!q) {
        kfree(p);
        return -1;
    }
    kfree(q);
    kfree(p);
    return 0;
}

void safe_again(void)
{
    void *p = kmalloc(8, 0xcc0);

    kfree(p);
    p = kmalloc(16, 0xcc0);
    kfree(p);
}

void broken_twice(void)
{
    void *p = kmalloc(8, 0xcc0);

    if (!p)
        return;
    kfree(p);
    if (nondet())
        kfree(p);
}

void safe_null(void)
{
    void *p = kmalloc(8, 0xcc0);

    kfree(p);
    if (!p)
        kfree(p);
}

struct device {
    char *name;
    int ready;
};

/* Where the memory came from is not seen. */
void broken_member(struct device *dev)
{
    kfree(dev->name);
    if (!dev->ready)
        kfree(dev->name);
}

void safe_member(struct device *dev)
{
    kfree(dev->name);
    dev->name = 0;
    kfree(dev->name);
}

struct acpi_buffer {
    unsigned long length;
    void *pointer;
};
unsigned int acpi_evaluate_object(void *, char *, void *, struct acpi_buffer *);

/* The second buffer may lie where the first one lay. */
void safe_buffers(void *handle)
{
    struct acpi_buffer buffer = { 0, 0 };

    if (acpi_evaluate_object(handle, "_DSM", 0, &buffer))
        return;
    kfree(buffer.pointer);
    if (acpi_evaluate_object(handle, "_DSM", 0, &buffer))
        return;
    kfree(buffer.pointer);
}

/* What is alive is not given twice, also where that is longer ago than the tool remembers. */
int safe_forgotten(void)
{
    void *a = kmalloc(8, 0xcc0), *b = kmalloc(8, 0xcc0);

    if (!a || a != b)
        return 0;
    if (kmalloc(8, 0xcc0) && kmalloc(8, 0xcc0)) {
        kfree(a);
        kfree(b);
    }
    return 0;
}
