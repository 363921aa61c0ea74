#define GFP_ATOMIC 0x820u
#define GFP_KERNEL 0xcc0u
struct spinlock { int slock; };
void spin_lock(struct spinlock *);
void spin_unlock(struct spinlock *);
void *kmalloc(unsigned long size, unsigned int flags);

static struct spinlock lock;

void *safe_atomic(void)
{
    void *p;

    spin_lock(&lock);
    p = kmalloc(8, GFP_ATOMIC);
    spin_unlock(&lock);
    return p;
}

void *safe_before(void)
{
    void *p = kmalloc(8, GFP_KERNEL);

    spin_lock(&lock);
    spin_unlock(&lock);
    return p;
}

void *safe_after(void)
{
    spin_unlock(&lock);
    spin_lock(&lock);
    spin_unlock(&lock);
    return kmalloc(8, GFP_KERNEL);
}

void *broken_reclaim(int small)
{
    void *p;

    spin_lock(&lock);
    p = kmalloc(8, small ? GFP_ATOMIC : GFP_KERNEL);
    spin_unlock(&lock);
    return p;
}

void broken_after_one_too_many(void)
{
    spin_unlock(&lock);
    spin_lock(&lock);
    kmalloc(8, GFP_KERNEL);
}
