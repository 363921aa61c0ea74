struct QueueDefinition;
struct QueueDefinition *xQueueGenericCreate(unsigned long, unsigned long, unsigned char);
void vQueueDelete(struct QueueDefinition *);
int nondet(void);

int safe_once(void)
{
    struct QueueDefinition *p = xQueueGenericCreate(4, 4, 0);

    if (!p)
        return -1;
    vQueueDelete(p);
    return 0;
}

int safe_two(void)
{
    struct QueueDefinition *p = xQueueGenericCreate(4, 4, 0);
    struct QueueDefinition *q;

    if (!p)
        return -1;
    q = xQueueGenericCreate(4, 4, 0);
    if (!q) {
        vQueueDelete(p);
        return -1;
    }
    vQueueDelete(q);
    vQueueDelete(p);
    return 0;
}

void broken_twice(void)
{
    struct QueueDefinition *p = xQueueGenericCreate(4, 4, 0);

    if (!p)
        return;
    vQueueDelete(p);
    if (nondet())
        vQueueDelete(p);
}

void broken_unchecked(void)
{
    struct QueueDefinition *p = xQueueGenericCreate(4, 4, 0);

    vQueueDelete(p);
}
