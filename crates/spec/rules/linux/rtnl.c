void rtnl_lock(void);
void rtnl_unlock(void);
int nondet(void);

void safe_in_turn(int n)
{
    int i;

    for (i = 0; i < n; i++) {
        rtnl_lock();
        rtnl_unlock();
    }
}

void broken_nested(void)
{
    rtnl_lock();
    rtnl_lock();
    rtnl_unlock();
    rtnl_unlock();
}

void broken_early_return(int n)
{
    rtnl_lock();
    if (n)
        return;
    rtnl_unlock();
}

void broken_leaves_twice(void)
{
    rtnl_lock();
    rtnl_unlock();
    if (nondet())
        rtnl_unlock();
}
