int xQueueGenericSendFromISR(void *queue, const void *item, int *woken, int position);
int xQueueGenericSend(void *queue, const void *item, unsigned int wait, int position);
void *pvPortMalloc(unsigned long);

static void *queue;

void safe_from_isr(void)
{
    int item = 1, woken = 0;

    xQueueGenericSendFromISR(queue, &item, &woken, 0);
}

void broken_sends(int status)
{
    int item = status;

    if (status & 4)
        xQueueGenericSend(queue, &item, 0, 0);
}

void broken_allocates(void)
{
    pvPortMalloc(16);
}
