void local_irq_disable(void);
void local_irq_enable(void);

static void work(int n)
{
    if (n > 0) {
        local_irq_disable();
        local_irq_enable();
    }
}

void safe_in_turn(int n)
{
    work(n);
    local_irq_disable();
    local_irq_enable();
    work(n - 1);
}

void broken_nested(int n)
{
    local_irq_disable();
    work(n);
    local_irq_enable();
}

void broken_left_off(int n)
{
    local_irq_disable();
    if (n == 7)
        return;
    local_irq_enable();
}
