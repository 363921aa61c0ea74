void watchdog_reset(void);
void vTaskDelay(unsigned int);
int ready(void);

void safe_loop(void)
{
    while (!ready()) {
        watchdog_reset();
        vTaskDelay(10);
    }
}

void broken_inner_loop(void)
{
    watchdog_reset();
    while (!ready())
        vTaskDelay(10);
}
