int request_irq(unsigned int irq, int (*handler)(int, void *), unsigned long flags, const char *name, void *dev);
const void *free_irq(unsigned int irq, void *dev);

static int dev;

int safe_request_free(unsigned int irq)
{
    int r = request_irq(irq, 0, 0, "dev", &dev);

    if (r)
        return r;
    free_irq(irq, &dev);
    return 0;
}

void broken_failed(unsigned int irq)
{
    request_irq(irq, 0, 0, "dev", &dev);
    free_irq(irq, &dev);
}

void broken_twice(unsigned int irq)
{
    if (request_irq(irq, 0, 0, "dev", &dev))
        return;
    free_irq(irq, &dev);
    free_irq(irq, &dev);
}
