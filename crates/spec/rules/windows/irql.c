typedef unsigned char KIRQL;
KIRQL KfRaiseIrql(KIRQL level);
void KfLowerIrql(KIRQL level);
int KeWaitForSingleObject(void *, int, int, char, void *);

void safe_raise_lower(void)
{
    KfRaiseIrql(2);
    KfLowerIrql(0);
}

void safe_waits_below(void *event)
{
    KfRaiseIrql(1);
    KeWaitForSingleObject(event, 0, 0, 0, 0);
    KfLowerIrql(0);
}

void safe_waits_after(void *event)
{
    KfRaiseIrql(2);
    KfLowerIrql(0);
    KeWaitForSingleObject(event, 0, 0, 0, 0);
}

void safe_again(void)
{
    KfRaiseIrql(2);
    KfLowerIrql(0);
    KfRaiseIrql(1);
    KfLowerIrql(0);
}

void broken_waits(void *event)
{
    KfRaiseIrql(2);
    KeWaitForSingleObject(event, 0, 0, 0, 0);
    KfLowerIrql(0);
}

void broken_raises_down(void)
{
    KfRaiseIrql(2);
    KfRaiseIrql(1);
    KfLowerIrql(0);
    KfLowerIrql(0);
}

void broken_lowers_up(void)
{
    KfRaiseIrql(1);
    KfLowerIrql(2);
}

void broken_not_raised(void)
{
    KfLowerIrql(0);
}

void broken_left_raised(int n)
{
    KfRaiseIrql(2);
    if (n)
        KfLowerIrql(0);
}
