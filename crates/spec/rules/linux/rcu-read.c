void rcu_read_lock(void);
void rcu_read_unlock(void);
int nondet(void);

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        rcu_read_lock();
        rcu_read_unlock();
    }
}

void safe_nested(void)
{
    rcu_read_lock();
    rcu_read_lock();
    rcu_read_unlock();
    rcu_read_unlock();
}

void broken_early_return(int n)
{
    rcu_read_lock();
    if (n)
        return;
    rcu_read_unlock();
}

void broken_leaves_twice(void)
{
    rcu_read_lock();
    rcu_read_unlock();
    if (nondet())
        rcu_read_unlock();
}

void synchronize_rcu(void);

void safe_waits_outside(void)
{
    rcu_read_lock();
    rcu_read_unlock();
    synchronize_rcu();
}

void broken_waits(void)
{
    rcu_read_lock();
    synchronize_rcu();
    rcu_read_unlock();
}
