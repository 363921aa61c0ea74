struct workqueue_struct;
struct workqueue_struct *alloc_workqueue(const char *, unsigned int, int, ...);
void destroy_workqueue(struct workqueue_struct *);
int nondet(void);

int safe_once(void)
{
    struct workqueue_struct *p = alloc_workqueue("w", 0, 1);

    if (!p)
        return -1;
    destroy_workqueue(p);
    return 0;
}

int safe_two(void)
{
    struct workqueue_struct *p = alloc_workqueue("w", 0, 1);
    struct workqueue_struct *q;

    if (!p)
        return -1;
    q = alloc_workqueue("w", 0, 1);
    if (!q) {
        destroy_workqueue(p);
        return -1;
    }
    destroy_workqueue(q);
    destroy_workqueue(p);
    return 0;
}

void broken_twice(void)
{
    struct workqueue_struct *p = alloc_workqueue("w", 0, 1);

    if (!p)
        return;
    destroy_workqueue(p);
    if (nondet())
        destroy_workqueue(p);
}

void broken_unchecked(void)
{
    struct workqueue_struct *p = alloc_workqueue("w", 0, 1);

    destroy_workqueue(p);
}

int broken_lost(int n)
{
    struct workqueue_struct *p = alloc_workqueue("w", 0, 1);

    if (!p)
        return -1;
    if (n < 0)
        return -2;
    destroy_workqueue(p);
    return 0;
}

static struct workqueue_struct *kept;

int safe_kept(void)
{
    struct workqueue_struct *p = alloc_workqueue("w", 0, 1);

    kept = p;
    return 0;
}

struct workqueue_struct *safe_returned(void)
{
    return alloc_workqueue("w", 0, 1);
}
