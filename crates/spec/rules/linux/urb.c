struct urb;
struct urb *usb_alloc_urb(int iso_packets, unsigned int mem_flags);
void usb_free_urb(struct urb *);
int nondet(void);

int safe_once(void)
{
    struct urb *p = usb_alloc_urb(0, 0xcc0);

    if (!p)
        return -1;
    usb_free_urb(p);
    return 0;
}

int safe_two(void)
{
    struct urb *p = usb_alloc_urb(0, 0xcc0);
    struct urb *q;

    if (!p)
        return -1;
    q = usb_alloc_urb(0, 0xcc0);
    if (!q) {
        usb_free_urb(p);
        return -1;
    }
    usb_free_urb(q);
    usb_free_urb(p);
    return 0;
}

void broken_twice(void)
{
    struct urb *p = usb_alloc_urb(0, 0xcc0);

    if (!p)
        return;
    usb_free_urb(p);
    if (nondet())
        usb_free_urb(p);
}

void broken_unchecked(void)
{
    struct urb *p = usb_alloc_urb(0, 0xcc0);

    usb_free_urb(p);
}

int broken_lost(int n)
{
    struct urb *p = usb_alloc_urb(0, 0xcc0);

    if (!p)
        return -1;
    if (n < 0)
        return -2;
    usb_free_urb(p);
    return 0;
}

static struct urb *kept;

int safe_kept(void)
{
    struct urb *p = usb_alloc_urb(0, 0xcc0);

    kept = p;
    return 0;
}

struct urb *safe_returned(void)
{
    return usb_alloc_urb(0, 0xcc0);
}
