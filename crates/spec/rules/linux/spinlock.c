struct spinlock { int slock; };
void _raw_spin_lock_irq(struct spinlock *);
void _raw_spin_unlock_irq(struct spinlock *);
void spin_lock(struct spinlock *);
void spin_unlock(struct spinlock *);
int nondet(void);

static struct spinlock first, second;

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        spin_lock(&first);
        spin_unlock(&first);
    }
}

void safe_two_at_once(void)
{
    spin_lock(&first);
    spin_lock(&second);
    spin_unlock(&second);
    spin_unlock(&first);
}

void safe_by_flag(int flag)
{
    if (flag)
        spin_lock(&first);
    if (flag)
        spin_unlock(&first);
}

void broken_twice(void)
{
    spin_lock(&first);
    if (nondet())
        spin_lock(&first);
    spin_unlock(&first);
}

void broken_not_taken(void)
{
    spin_lock(&first);
    spin_unlock(&first);
    spin_unlock(&first);
}

void broken_error_path(int n)
{
    spin_lock(&first);
    if (n < 0)
        return;
    spin_unlock(&first);
}

int spin_trylock(struct spinlock *);

void safe_trylock(void)
{
    _raw_spin_lock_irq(&first);
    _raw_spin_unlock_irq(&first);
    if (spin_trylock(&first))
        spin_unlock(&first);
}

void broken_trylock_kept(void)
{
    spin_lock(&first);
    spin_unlock(&first);
    spin_trylock(&first);
}

/* Nothing takes it in another way before. */
void broken_only_tried(void)
{
    spin_trylock(&second);
}
