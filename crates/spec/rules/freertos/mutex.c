int xQueueSemaphoreTake(void *mutex, unsigned int ticks);
int xQueueGenericSend(void *queue, const void *item, unsigned int ticks, int position);
#define xSemaphoreTake(m, t) xQueueSemaphoreTake(m, t)
#define xSemaphoreGive(m) xQueueGenericSend(m, 0, 0, 0)

static char m, n;

int safe_timeout(void)
{
    if (!xSemaphoreTake(&m, 10))
        return -1;
    xSemaphoreGive(&m);
    return 0;
}

int safe_two(void)
{
    if (!xSemaphoreTake(&m, 10))
        return -1;
    if (xSemaphoreTake(&n, 10))
        xSemaphoreGive(&n);
    xSemaphoreGive(&m);
    return 0;
}

void broken_twice(void)
{
    if (!xSemaphoreTake(&m, 10))
        return;
    xSemaphoreTake(&m, 10);
    xSemaphoreGive(&m);
}

void broken_not_taken(void)
{
    xSemaphoreTake(&m, 10);
    xSemaphoreGive(&m);
}

int broken_kept(int n)
{
    if (!xSemaphoreTake(&m, 10))
        return -1;
    if (n)
        return -2;
    xSemaphoreGive(&m);
    return 0;
}
