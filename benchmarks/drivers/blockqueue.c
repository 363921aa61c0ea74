/*
 * A block device: a pool of requests, a queue of those that wait, one in flight, retries after errors, and a reset that
 * gives everything back.
 *
 * Why it is safe: a request is in exactly one place, which its state names. FREE ones are on the free list, WAITING ones on the
 * queue, the one IN_FLIGHT is `active`. Every move between the places takes the request out of one and puts it into the other,
 * so that a list never holds a request twice, and `waiting` is the length of the queue.
 *
 * BUG: when the retries of a request are used up, it is completed with an error - and `active` keeps pointing to it. The next
 * interrupt completes it once more, although it is on the free list.
 *
 * options:
 */
#include "../verifier.h"

#define NR_REQUESTS 3
#define MAX_RETRIES 2

enum state { FREE, WAITING, IN_FLIGHT };
enum status { OK, MEDIA_ERROR, TIMEOUT };

struct request {
	struct request *next;
	enum state state;
	int write;
	unsigned int sector;
	unsigned int retries;
	int error;
};

struct queue {
	struct request *first;
	struct request *last;
	unsigned int waiting;
};

struct controller;

struct controller_ops {
	void (*start)(struct controller *, struct request *);
	void (*stop)(struct controller *);
};

struct controller {
	const struct controller_ops *ops;
	int busy;
	unsigned int command;
};

struct disk {
	struct controller controller;
	struct request pool[NR_REQUESTS];
	struct request *free;
	struct queue queue;
	struct request *active;
	unsigned int completed;
	unsigned int failed;
};

static struct disk disk;

static void queue_add_tail(struct queue *q, struct request *rq)
{
	rq->next = 0;
	if (q->last)
		q->last->next = rq;
	else
		q->first = rq;
	q->last = rq;
	q->waiting++;
}

static void queue_add_head(struct queue *q, struct request *rq)
{
	rq->next = q->first;
	q->first = rq;
	if (!q->last)
		q->last = rq;
	q->waiting++;
}

static struct request *queue_take(struct queue *q)
{
	struct request *rq = q->first;

	if (!rq)
		return 0;
	q->first = rq->next;
	if (!q->first)
		q->last = 0;
	rq->next = 0;
	q->waiting--;
	return rq;
}

static struct request *request_alloc(struct disk *d)
{
	struct request *rq = d->free;

	if (!rq)
		return 0;
	assert(rq->state == FREE);
	d->free = rq->next;
	rq->next = 0;
	rq->retries = 0;
	rq->error = 0;
	return rq;
}

static void request_free(struct disk *d, struct request *rq)
{
	assert(rq->state != FREE);
	rq->state = FREE;
	rq->next = d->free;
	d->free = rq;
}

static void hw_start(struct controller *c, struct request *rq)
{
	assert(!c->busy);
	c->busy = 1;
	c->command = rq->write ? 0x35u : 0x25u;
}

static void hw_stop(struct controller *c)
{
	c->busy = 0;
	c->command = 0;
}

static const struct controller_ops hw_ops = { hw_start, hw_stop };

static void disk_dispatch(struct disk *d)
{
	struct request *rq;

	if (d->active)
		return;
	rq = queue_take(&d->queue);
	if (!rq)
		return;
	assert(rq->state == WAITING);
	rq->state = IN_FLIGHT;
	d->active = rq;
	d->controller.ops->start(&d->controller, rq);
}

static void disk_complete(struct disk *d, struct request *rq, int error)
{
	rq->error = error;
	if (error)
		d->failed++;
	else
		d->completed++;
	request_free(d, rq);
}

static int disk_submit(struct disk *d, int write, unsigned int sector)
{
	struct request *rq = request_alloc(d);

	if (!rq)
		return -1;
	rq->write = write;
	rq->sector = sector;
	rq->state = WAITING;
	queue_add_tail(&d->queue, rq);
	disk_dispatch(d);
	return 0;
}

static void disk_retry(struct disk *d, struct request *rq, int error)
{
	if (rq->retries == MAX_RETRIES) {
#ifndef BUG
		d->active = 0;
#endif
		disk_complete(d, rq, error);
		return;
	}
	rq->retries++;
	rq->state = WAITING;
	d->active = 0;
	queue_add_head(&d->queue, rq);
}

static void disk_interrupt(struct disk *d, enum status status)
{
	struct request *rq = d->active;

	if (!rq)
		return;
	d->controller.ops->stop(&d->controller);
	switch (status) {
	case OK:
		d->active = 0;
		disk_complete(d, rq, 0);
		break;
	case MEDIA_ERROR:
		disk_retry(d, rq, 5);
		break;
	case TIMEOUT:
		disk_retry(d, rq, 110);
		break;
	}
	disk_dispatch(d);
}

static void disk_reset(struct disk *d)
{
	struct request *rq;

	if (d->active) {
		rq = d->active;
		d->active = 0;
		d->controller.ops->stop(&d->controller);
		disk_complete(d, rq, 5);
	}
	while ((rq = queue_take(&d->queue)) != 0)
		disk_complete(d, rq, 5);
	assert(d->queue.waiting == 0);
}

static void disk_init(struct disk *d)
{
	int i;

	d->controller.ops = &hw_ops;
	d->free = 0;
	for (i = 0; i < NR_REQUESTS; i++) {
		d->pool[i].state = FREE;
		d->pool[i].next = d->free;
		d->free = &d->pool[i];
	}
}

int main(void)
{
	disk_init(&disk);
	while (1) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			disk_submit(&disk, __VERIFIER_nondet_bool(), __VERIFIER_nondet_uint());
			break;
		case 1:
			disk_interrupt(&disk, OK);
			break;
		case 2:
			disk_interrupt(&disk, MEDIA_ERROR);
			break;
		case 3:
			disk_interrupt(&disk, TIMEOUT);
			break;
		case 4:
			disk_reset(&disk);
			break;
		default:
			disk_dispatch(&disk);
			break;
		}
	}
}
