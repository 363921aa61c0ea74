void KeEnterCriticalRegion(void);
void KeLeaveCriticalRegion(void);
int nondet(void);

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        KeEnterCriticalRegion();
        KeLeaveCriticalRegion();
    }
}

void safe_nested(void)
{
    KeEnterCriticalRegion();
    KeEnterCriticalRegion();
    KeLeaveCriticalRegion();
    KeLeaveCriticalRegion();
}

void broken_early_return(int n)
{
    KeEnterCriticalRegion();
    if (n)
        return;
    KeLeaveCriticalRegion();
}

void broken_leaves_twice(void)
{
    KeEnterCriticalRegion();
    KeLeaveCriticalRegion();
    if (nondet())
        KeLeaveCriticalRegion();
}
