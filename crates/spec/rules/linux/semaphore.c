struct semaphore { int count; };
void down(struct semaphore *);
int down_interruptible(struct semaphore *);
int down_trylock(struct semaphore *);
void up(struct semaphore *);
int nondet(void);

static struct semaphore first, second;

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        down(&first);
        up(&first);
    }
}

void safe_two(void)
{
    down(&first);
    down(&second);
    up(&second);
    up(&first);
}

int safe_interruptible(void)
{
    if (down_interruptible(&first))
        return -4;
    up(&first);
    return 0;
}

void safe_signals(void)
{
    up(&first);
}

int safe_tried(void)
{
    if (down_trylock(&first))
        return -11;
    up(&first);
    return 0;
}

void broken_twice(void)
{
    down(&first);
    if (nondet())
        down(&first);
    up(&first);
}

int broken_error_path(void)
{
    down(&first);
    if (nondet())
        return -5;
    up(&first);
    return 0;
}

int broken_interruptible(void)
{
    if (down_interruptible(&first))
        return -4;
    return 0;
}
