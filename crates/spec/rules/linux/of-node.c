struct device_node { int phandle; };
struct device_node *of_find_node_by_name(struct device_node *, const char *);
struct device_node *of_node_get(struct device_node *);
void of_node_put(struct device_node *);

int safe_put(void)
{
    struct device_node *n = of_find_node_by_name(0, "cpu");

    if (!n)
        return -19;
    of_node_put(n);
    return 0;
}

void safe_null(void)
{
    struct device_node *n = of_find_node_by_name(0, "cpu");

    of_node_put(n);
    if (!n)
        of_node_put(n);
}

void broken_put_twice(void)
{
    struct device_node *n = of_find_node_by_name(0, "cpu");

    of_node_put(n);
    of_node_put(n);
}

int broken_lost(int x)
{
    struct device_node *n = of_find_node_by_name(0, "cpu");

    if (!n)
        return -19;
    if (x)
        return -22;
    of_node_put(n);
    return 0;
}

void broken_got_again(void)
{
    struct device_node *n = of_find_node_by_name(0, "cpu"), *m;

    if (!n)
        return;
    m = of_node_get(n);
    if (m != n) {
        of_node_put(n);
        return;
    }
    of_node_put(n);
}

static struct device_node *kept;

int safe_kept(void)
{
    struct device_node *p = of_find_node_by_name(0, "cpu");

    kept = p;
    return 0;
}

struct device_node *safe_returned(void)
{
    return of_find_node_by_name(0, "cpu");
}
