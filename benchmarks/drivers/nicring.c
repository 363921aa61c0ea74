/*
 * A network card's transmit ring: the driver fills descriptors at `next_to_use`, the card empties them from `hw_head`, the driver
 * takes them back at `next_to_clean`. The queue above is stopped when the ring has no room for another packet of two
 * descriptors, and woken when it has.
 *
 * Why it is safe: the three positions are below RING; `unused` is the number of descriptors between next_to_use and
 * next_to_clean, and `in_hw` those between next_to_use and hw_head, so unused + in_hw + (done, not cleaned) == RING. The queue
 * is running only while unused >= 2: every transmit of at most two descriptors ends in nic_maybe_stop, and only nic_clean, which
 * looks again, wakes it.
 *
 * BUG: nic_clean wakes the queue as soon as anything was cleaned, also if only one descriptor has become free.
 *
 * options: --check bounds,null,overflow
 */
#include "../verifier.h"

#define RING 4
#define NEEDED 2

#define DESC_OWN 0x1u
#define DESC_EOP 0x2u
#define DESC_DONE 0x4u

#define EBUSY 16
#define EINVAL 22

struct descriptor {
	unsigned int flags;
	unsigned int length;
};

struct tx_ring {
	struct descriptor desc[RING];
	unsigned int next_to_use;
	unsigned int next_to_clean;
	unsigned int unused;
};

struct hardware {
	unsigned int head;
	unsigned int in_hw;
};

struct net_queue {
	int stopped;
	int carrier;
};

struct nic {
	struct tx_ring tx;
	struct hardware hw;
	struct net_queue queue;
	int up;
	unsigned int packets;
	unsigned int dropped;
};

static unsigned int next(unsigned int i)
{
	return i + 1 == RING ? 0 : i + 1;
}

static void queue_stop(struct net_queue *q)
{
	q->stopped = 1;
}

static void queue_wake(struct net_queue *q)
{
	q->stopped = 0;
}

static void ring_fill(struct nic *n, unsigned int length, unsigned int flags)
{
	struct tx_ring *tx = &n->tx;
	struct descriptor *d;

	assert(tx->unused > 0);
	assert(tx->next_to_use < RING);
	d = &tx->desc[tx->next_to_use];
	d->length = length;
	d->flags = DESC_OWN | flags;
	tx->next_to_use = next(tx->next_to_use);
	tx->unused--;
	n->hw.in_hw++;
}

static void nic_maybe_stop(struct nic *n)
{
	if (n->tx.unused < NEEDED)
		queue_stop(&n->queue);
}

static int nic_xmit(struct nic *n, unsigned int length, int split)
{
	if (!n->up || n->queue.stopped)
		return -EBUSY;
	if (length == 0 || length > 1514) {
		n->dropped++;
		return -EINVAL;
	}
	if (split && length > 1) {
		ring_fill(n, length / 2, 0);
		ring_fill(n, length - length / 2, DESC_EOP);
	} else {
		ring_fill(n, length, DESC_EOP);
	}
	n->packets++;
	nic_maybe_stop(n);
	return 0;
}

/* The card sends the oldest descriptor that it owns. */
static void hw_send(struct nic *n)
{
	struct descriptor *d;

	if (n->hw.in_hw == 0 || !n->queue.carrier)
		return;
	assert(n->hw.head < RING);
	d = &n->tx.desc[n->hw.head];
	d->flags = (d->flags & ~DESC_OWN) | DESC_DONE;
	n->hw.head = next(n->hw.head);
	n->hw.in_hw--;
}

static unsigned int ring_clean_one(struct tx_ring *tx)
{
	struct descriptor *d = &tx->desc[tx->next_to_clean];

	if (!(d->flags & DESC_DONE))
		return 0;
	d->flags = 0;
	d->length = 0;
	tx->next_to_clean = next(tx->next_to_clean);
	tx->unused++;
	assert(tx->unused <= RING);
	return 1;
}

static void nic_clean(struct nic *n, unsigned int budget)
{
	unsigned int cleaned = 0;

	while (cleaned < budget && ring_clean_one(&n->tx))
		cleaned++;
#ifndef BUG
	if (n->queue.stopped && n->up && n->tx.unused >= NEEDED)
		queue_wake(&n->queue);
#else
	if (n->queue.stopped && n->up && cleaned > 0)
		queue_wake(&n->queue);
#endif
}

static void nic_reset_ring(struct nic *n)
{
	unsigned int i;

	for (i = 0; i < RING; i++) {
		n->tx.desc[i].flags = 0;
		n->tx.desc[i].length = 0;
	}
	n->tx.next_to_use = 0;
	n->tx.next_to_clean = 0;
	n->tx.unused = RING;
	n->hw.head = 0;
	n->hw.in_hw = 0;
}

static void nic_up(struct nic *n)
{
	if (n->up)
		return;
	nic_reset_ring(n);
	n->up = 1;
	queue_wake(&n->queue);
}

static void nic_down(struct nic *n)
{
	if (!n->up)
		return;
	queue_stop(&n->queue);
	n->up = 0;
	nic_reset_ring(n);
}

static void nic_link(struct nic *n, int on)
{
	n->queue.carrier = on;
}

int main(void)
{
	static struct nic nic;

	nic_reset_ring(&nic);
	queue_stop(&nic.queue);
	while (1) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			nic_up(&nic);
			break;
		case 1:
			nic_down(&nic);
			break;
		case 2:
			nic_xmit(&nic, __VERIFIER_nondet_uint(), __VERIFIER_nondet_bool());
			break;
		case 3:
			nic_clean(&nic, 2);
			break;
		case 4:
			nic_link(&nic, __VERIFIER_nondet_bool());
			break;
		default:
			hw_send(&nic);
			break;
		}
	}
}
