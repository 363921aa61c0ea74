void vTaskSuspendAll(void);
int xTaskResumeAll(void);
int nondet(void);

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        vTaskSuspendAll();
        xTaskResumeAll();
    }
}

void safe_nested(void)
{
    vTaskSuspendAll();
    vTaskSuspendAll();
    xTaskResumeAll();
    xTaskResumeAll();
}

void broken_early_return(int n)
{
    vTaskSuspendAll();
    if (n)
        return;
    xTaskResumeAll();
}

void broken_leaves_twice(void)
{
    vTaskSuspendAll();
    xTaskResumeAll();
    if (nondet())
        xTaskResumeAll();
}

int xQueueSemaphoreTake(void *, unsigned int);

void safe_waits_outside(void)
{
    vTaskSuspendAll();
    xTaskResumeAll();
    xQueueSemaphoreTake((void *)8, 1);
}

void broken_waits(void)
{
    vTaskSuspendAll();
    xQueueSemaphoreTake((void *)8, 1);
    xTaskResumeAll();
}
