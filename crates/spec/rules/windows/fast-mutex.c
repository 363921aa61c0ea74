typedef struct { long count; } FAST_MUTEX;
void ExAcquireFastMutex(FAST_MUTEX *);
void ExReleaseFastMutex(FAST_MUTEX *);
int nondet(void);

static FAST_MUTEX first, second;

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        ExAcquireFastMutex(&first);
        ExReleaseFastMutex(&first);
    }
}

void safe_two_at_once(void)
{
    ExAcquireFastMutex(&first);
    ExAcquireFastMutex(&second);
    ExReleaseFastMutex(&second);
    ExReleaseFastMutex(&first);
}

void safe_by_flag(int flag)
{
    if (flag)
        ExAcquireFastMutex(&first);
    if (flag)
        ExReleaseFastMutex(&first);
}

void broken_twice(void)
{
    ExAcquireFastMutex(&first);
    if (nondet())
        ExAcquireFastMutex(&first);
    ExReleaseFastMutex(&first);
}

void broken_not_taken(void)
{
    ExAcquireFastMutex(&first);
    ExReleaseFastMutex(&first);
    ExReleaseFastMutex(&first);
}

void broken_error_path(int n)
{
    ExAcquireFastMutex(&first);
    if (n < 0)
        return;
    ExReleaseFastMutex(&first);
}
