struct module { int refs; };
_Bool try_module_get(struct module *);
void __module_get(struct module *);
void module_put(struct module *);

static struct module m, other;

int safe_get_put(void)
{
    if (!try_module_get(&m))
        return -19;
    module_put(&m);
    return 0;
}

int safe_two(void)
{
    if (!try_module_get(&m))
        return -19;
    __module_get(&m);
    module_put(&m);
    module_put(&m);
    return 0;
}

void broken_not_got(void)
{
    try_module_get(&m);
    module_put(&m);
}

int broken_lost(void)
{
    if (!try_module_get(&m))
        return -19;
    if (!try_module_get(&other))
        return -19;
    module_put(&other);
    module_put(&m);
    return 0;
}

int broken_second_lost(void)
{
    if (!try_module_get(&m))
        return -19;
    __module_get(&m);
    module_put(&m);
    return 0;
}
