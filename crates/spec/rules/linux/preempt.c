void preempt_disable(void);
void preempt_enable(void);
int nondet(void);

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        preempt_disable();
        preempt_enable();
    }
}

void safe_nested(void)
{
    preempt_disable();
    preempt_disable();
    preempt_enable();
    preempt_enable();
}

void broken_early_return(int n)
{
    preempt_disable();
    if (n)
        return;
    preempt_enable();
}

void broken_leaves_twice(void)
{
    preempt_disable();
    preempt_enable();
    if (nondet())
        preempt_enable();
}

void msleep(unsigned int);

void safe_waits_outside(void)
{
    preempt_disable();
    preempt_enable();
    msleep(10);
}

void broken_waits(void)
{
    preempt_disable();
    msleep(10);
    preempt_enable();
}
