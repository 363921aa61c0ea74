void vPortEnterCritical(void);
void vPortExitCritical(void);
int nondet(void);

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        vPortEnterCritical();
        vPortExitCritical();
    }
}

void safe_nested(void)
{
    vPortEnterCritical();
    vPortEnterCritical();
    vPortExitCritical();
    vPortExitCritical();
}

void broken_early_return(int n)
{
    vPortEnterCritical();
    if (n)
        return;
    vPortExitCritical();
}

void broken_leaves_twice(void)
{
    vPortEnterCritical();
    vPortExitCritical();
    if (nondet())
        vPortExitCritical();
}

void vTaskDelay(unsigned int);

void safe_waits_outside(void)
{
    vPortEnterCritical();
    vPortExitCritical();
    vTaskDelay(5);
}

void broken_waits(void)
{
    vPortEnterCritical();
    vTaskDelay(5);
    vPortExitCritical();
}
