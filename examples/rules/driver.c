// A driver that knows nothing of rules:
//     hardbop check examples/rules/driver.c --entry send --entry receive --entry reset --rules linux/spinlock,linux/urb
// `send` returns with the lock held when there is no memory; `receive` is fine; `reset` uses no URB.
struct urb;
typedef struct { int raw; } spinlock_t;

void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
struct urb *usb_alloc_urb(int packets, unsigned int flags);
void usb_free_urb(struct urb *urb);
int usb_submit_urb(struct urb *urb, unsigned int flags);

struct device {
    spinlock_t lock;
    int pending;
};

int send(struct device *dev, int n)
{
    struct urb *urb;

    spin_lock(&dev->lock);
    urb = usb_alloc_urb(0, 0);
    if (!urb)
        return -12;
    dev->pending += n;
    spin_unlock(&dev->lock);
    usb_submit_urb(urb, 0);
    usb_free_urb(urb);
    return 0;
}

int receive(struct device *dev, int n)
{
    int i, done = 0;

    for (i = 0; i < n; i++) {
        struct urb *urb = usb_alloc_urb(0, 0);

        if (!urb)
            return -12;
        spin_lock(&dev->lock);
        if (usb_submit_urb(urb, 0) == 0)
            done++;
        spin_unlock(&dev->lock);
        usb_free_urb(urb);
    }
    return done;
}

void reset(struct device *dev)
{
    spin_lock(&dev->lock);
    dev->pending = 0;
    spin_unlock(&dev->lock);
}
