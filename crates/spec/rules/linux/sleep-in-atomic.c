struct spinlock { int slock; };
void spin_lock(struct spinlock *);
void spin_unlock(struct spinlock *);
void msleep(unsigned int);
struct mutex;
void mutex_lock(struct mutex *);

static struct spinlock first, second;

void safe_after(void)
{
    spin_lock(&first);
    spin_unlock(&first);
    msleep(10);
}

void broken_sleeps(int n)
{
    spin_lock(&first);
    if (n > 10)
        msleep(10);
    spin_unlock(&first);
}

void broken_one_is_left(struct mutex *m)
{
    spin_lock(&first);
    spin_lock(&second);
    spin_unlock(&second);
    mutex_lock(m);
    spin_unlock(&first);
}

void safe_after_one_too_many(struct mutex *m)
{
    spin_unlock(&first);
    spin_lock(&first);
    spin_unlock(&first);
    mutex_lock(m);
}

void broken_after_one_too_many(struct mutex *m)
{
    spin_unlock(&first);
    spin_lock(&first);
    mutex_lock(m);
}
