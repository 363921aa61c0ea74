void local_bh_disable(void);
void local_bh_enable(void);
int nondet(void);

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        local_bh_disable();
        local_bh_enable();
    }
}

void safe_nested(void)
{
    local_bh_disable();
    local_bh_disable();
    local_bh_enable();
    local_bh_enable();
}

void broken_early_return(int n)
{
    local_bh_disable();
    if (n)
        return;
    local_bh_enable();
}

void broken_leaves_twice(void)
{
    local_bh_disable();
    local_bh_enable();
    if (nondet())
        local_bh_enable();
}

void schedule(void);

void safe_waits_outside(void)
{
    local_bh_disable();
    local_bh_enable();
    schedule();
}

void broken_waits(void)
{
    local_bh_disable();
    schedule();
    local_bh_enable();
}
