typedef unsigned long KSPIN_LOCK;
typedef unsigned char KIRQL;
void KeAcquireSpinLock(KSPIN_LOCK *lock);
void KeReleaseSpinLock(KSPIN_LOCK *lock);
int nondet(void);

static KSPIN_LOCK first, second;

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        KeAcquireSpinLock(&first);
        KeReleaseSpinLock(&first);
    }
}

void safe_two_at_once(void)
{
    KeAcquireSpinLock(&first);
    KeAcquireSpinLock(&second);
    KeReleaseSpinLock(&second);
    KeReleaseSpinLock(&first);
}

void safe_by_flag(int flag)
{
    if (flag)
        KeAcquireSpinLock(&first);
    if (flag)
        KeReleaseSpinLock(&first);
}

void broken_twice(void)
{
    KeAcquireSpinLock(&first);
    if (nondet())
        KeAcquireSpinLock(&first);
    KeReleaseSpinLock(&first);
}

void broken_not_taken(void)
{
    KeAcquireSpinLock(&first);
    KeReleaseSpinLock(&first);
    KeReleaseSpinLock(&first);
}

void broken_error_path(int n)
{
    KeAcquireSpinLock(&first);
    if (n < 0)
        return;
    KeReleaseSpinLock(&first);
}
