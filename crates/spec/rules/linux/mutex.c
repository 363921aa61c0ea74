struct mutex { int owner; };
void mutex_lock(struct mutex *);
void mutex_unlock(struct mutex *);
int mutex_lock_interruptible(struct mutex *);
int mutex_trylock(struct mutex *);
int nondet(void);

static struct mutex first, second;

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        mutex_lock(&first);
        mutex_unlock(&first);
    }
}

void safe_two_at_once(void)
{
    mutex_lock(&first);
    mutex_lock(&second);
    mutex_unlock(&second);
    mutex_unlock(&first);
}

void safe_by_flag(int flag)
{
    if (flag)
        mutex_lock(&first);
    if (flag)
        mutex_unlock(&first);
}

void broken_twice(void)
{
    mutex_lock(&first);
    if (nondet())
        mutex_lock(&first);
    mutex_unlock(&first);
}

void broken_not_taken(void)
{
    mutex_lock(&first);
    mutex_unlock(&first);
    mutex_unlock(&first);
}

void broken_error_path(int n)
{
    mutex_lock(&first);
    if (n < 0)
        return;
    mutex_unlock(&first);
}

int safe_interruptible(void)
{
    mutex_lock(&first);
    mutex_unlock(&first);
    if (mutex_lock_interruptible(&first))
        return -4;
    mutex_unlock(&first);
    return 0;
}

void broken_interrupted(void)
{
    mutex_lock(&first);
    mutex_unlock(&first);
    if (mutex_lock_interruptible(&first) == 0)
        return;
    mutex_unlock(&first);
}

int broken_only_interruptible(void)
{
    if (mutex_lock_interruptible(&first))
        return -4;
    if (nondet())
        return -5;
    mutex_unlock(&first);
    return 0;
}

void safe_tried(void)
{
    if (mutex_trylock(&first))
        mutex_unlock(&first);
}

void safe_tried_again(void)
{
    mutex_lock(&first);
    mutex_unlock(&first);
    if (mutex_trylock(&first))
        mutex_unlock(&first);
}

void broken_tried(void)
{
    if (mutex_trylock(&first) && nondet())
        return;
    mutex_unlock(&first);
}
