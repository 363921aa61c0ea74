/*
 * A card whose start takes five resources in order - a memory region, a mapping, an interrupt, a DMA channel, a class device -
 * and gives them back in the opposite order, also from the middle of a failing start. A lock protects its state.
 *
 * Why it is safe: each resource has one owner and a flag that says whether it is taken; card_start jumps to the label that gives
 * back exactly what it has taken, card_stop gives back all five. Every function that locks unlocks on each way out.
 *
 * BUG: a start that finds the interrupt line unusable (it failed before) leaves the ladder early and keeps the lock.
 *
 * options:
 */
#include "../verifier.h"

#define ENODEV 19
#define EBUSY 16
#define EINVAL 22
#define EIO 5

struct lock {
	int held;
};

struct resources {
	int region;
	int mapped;
	int irq;
	int dma;
	int class_dev;
};

struct card {
	struct lock lock;
	struct resources res;
	int started;
	int users;
	unsigned int mode;
	int irq_line;
};

static struct card the_card;

static void lock_acquire(struct lock *l)
{
	assert(!l->held);
	l->held = 1;
}

static void lock_release(struct lock *l)
{
	assert(l->held);
	l->held = 0;
}

static int take(int *resource)
{
	assert(!*resource);
	if (__VERIFIER_nondet_bool())
		return -EBUSY;
	*resource = 1;
	return 0;
}

static void give_back(int *resource)
{
	assert(*resource);
	*resource = 0;
}

static int request_region(struct card *c)
{
	return take(&c->res.region);
}

static int map_registers(struct card *c)
{
	assert(c->res.region);
	return take(&c->res.mapped);
}

static int request_irq(struct card *c)
{
	int ret;

	if (c->irq_line < 0)
		return -EINVAL;
	ret = take(&c->res.irq);
	if (ret)
		c->irq_line = -1;
	return ret;
}

static int request_dma(struct card *c)
{
	return take(&c->res.dma);
}

static int register_class(struct card *c)
{
	assert(c->res.irq && c->res.dma);
	return take(&c->res.class_dev);
}

static int card_reset(struct card *c)
{
	assert(c->lock.held);
	assert(c->res.mapped);
	if (__VERIFIER_nondet_bool())
		return -EIO;
	c->mode = 0;
	return 0;
}

static int card_start(struct card *c)
{
	int ret;

	lock_acquire(&c->lock);
	if (c->started) {
		ret = -EBUSY;
		goto unlock;
	}
	ret = request_region(c);
	if (ret)
		goto unlock;
	ret = map_registers(c);
	if (ret)
		goto release_region;
	ret = card_reset(c);
	if (ret)
		goto unmap;
	ret = request_irq(c);
	if (ret)
		goto unmap;
	ret = request_dma(c);
	if (ret)
		goto free_irq;
	ret = register_class(c);
	if (ret)
		goto free_dma;
	c->started = 1;
	lock_release(&c->lock);
	return 0;

free_dma:
	give_back(&c->res.dma);
free_irq:
	give_back(&c->res.irq);
unmap:
	give_back(&c->res.mapped);
release_region:
	give_back(&c->res.region);
#ifdef BUG
	if (ret == -EINVAL)
		return ret;
#endif
unlock:
	lock_release(&c->lock);
	return ret;
}

static int card_stop(struct card *c)
{
	int ret = 0;

	lock_acquire(&c->lock);
	if (!c->started) {
		ret = -ENODEV;
	} else if (c->users > 0) {
		ret = -EBUSY;
	} else {
		give_back(&c->res.class_dev);
		give_back(&c->res.dma);
		give_back(&c->res.irq);
		give_back(&c->res.mapped);
		give_back(&c->res.region);
		c->started = 0;
	}
	lock_release(&c->lock);
	return ret;
}

static int card_open(struct card *c)
{
	int ret = 0;

	lock_acquire(&c->lock);
	if (!c->started)
		ret = -ENODEV;
	else if (c->users == 4)
		ret = -EBUSY;
	else
		c->users++;
	lock_release(&c->lock);
	return ret;
}

static void card_close(struct card *c)
{
	lock_acquire(&c->lock);
	if (c->users > 0)
		c->users--;
	lock_release(&c->lock);
}

static int card_set_mode(struct card *c, unsigned int mode)
{
	int ret = -ENODEV;

	if (mode > 7)
		return -EINVAL;
	lock_acquire(&c->lock);
	if (!c->started)
		goto out;
	ret = card_reset(c);
	if (ret)
		goto out;
	c->mode = mode;
out:
	lock_release(&c->lock);
	return ret;
}

static void card_interrupt(struct card *c)
{
	if (!c->res.irq)
		return;
	lock_acquire(&c->lock);
	assert(c->res.mapped);
	lock_release(&c->lock);
}

int main(void)
{
	the_card.irq_line = 9;
	while (1) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			card_start(&the_card);
			break;
		case 1:
			card_stop(&the_card);
			break;
		case 2:
			card_open(&the_card);
			break;
		case 3:
			card_close(&the_card);
			break;
		case 4:
			card_set_mode(&the_card, __VERIFIER_nondet_uint());
			break;
		default:
			card_interrupt(&the_card);
			break;
		}
	}
}
