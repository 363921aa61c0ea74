/*
 * A serial port: two ring buffers between the callers and the interrupt handler, interrupt enable bits that follow the
 * fill of the rings, and a line that is opened and closed by several users.
 *
 * Why it is safe: `head` and `tail` of a ring are always below RING_SIZE (they change only in ring_next, which wraps) and
 * `count` is the number of bytes between them, at most RING_SIZE: ring_put refuses at RING_SIZE and ring_get at 0. The
 * transmit interrupt is enabled exactly while the port is open and its transmit ring is not empty: every function that changes
 * one of the three ends in uart_update_ier.
 *
 * BUG: uart_write puts its bytes in a loop that looks at the room only once, before it begins; a write that is longer than the
 * room goes on after the ring is full, and `count` passes RING_SIZE.
 *
 * options: --check null,bounds,overflow
 */
#include "../verifier.h"

#define RING_SIZE 8u

#define IER_RX 0x01u
#define IER_TX 0x02u
#define IER_LINE 0x04u

#define LSR_DATA 0x01u
#define LSR_OVERRUN 0x02u
#define LSR_THRE 0x20u

#define EBUSY 16
#define EAGAIN 11
#define ENXIO 6
#define EINVAL 22

struct ring {
	unsigned char data[RING_SIZE];
	unsigned int head;
	unsigned int tail;
	unsigned int count;
};

struct uart_regs {
	unsigned char ier;
	unsigned char lsr;
	unsigned char thr;
	unsigned char rbr;
};

struct uart_stats {
	unsigned int rx;
	unsigned int tx;
	unsigned int overruns;
};

struct uart_port {
	struct uart_regs regs;
	struct ring rx;
	struct ring tx;
	struct uart_stats stats;
	unsigned int users;
	int exclusive;
};

static struct uart_port port;

static unsigned int ring_next(unsigned int position)
{
	position++;
	if (position == RING_SIZE)
		position = 0;
	return position;
}

static int ring_full(const struct ring *ring)
{
	return ring->count == RING_SIZE;
}

static int ring_empty(const struct ring *ring)
{
	return ring->count == 0;
}

static void ring_reset(struct ring *ring)
{
	ring->head = 0;
	ring->tail = 0;
	ring->count = 0;
}

static void ring_put(struct ring *ring, unsigned char byte)
{
	ring->data[ring->head] = byte;
	ring->head = ring_next(ring->head);
	ring->count++;
	assert(ring->count <= RING_SIZE);
}

static unsigned char ring_get(struct ring *ring)
{
	unsigned char byte;

	assert(ring->count > 0);
	byte = ring->data[ring->tail];
	ring->tail = ring_next(ring->tail);
	ring->count--;
	return byte;
}

/* The interrupts that the port's state asks for. */
static void uart_update_ier(struct uart_port *p)
{
	unsigned char ier = 0;

	if (p->users > 0) {
		ier = IER_RX | IER_LINE;
		if (!ring_empty(&p->tx))
			ier |= IER_TX;
	}
	p->regs.ier = ier;
}

static int uart_open(struct uart_port *p, int exclusive)
{
	if (p->exclusive || (exclusive && p->users > 0))
		return -EBUSY;
	if (p->users == 3)
		return -EBUSY;
	if (p->users == 0) {
		ring_reset(&p->rx);
		ring_reset(&p->tx);
	}
	p->users++;
	p->exclusive = exclusive != 0;
	uart_update_ier(p);
	return 0;
}

static int uart_close(struct uart_port *p)
{
	if (p->users == 0)
		return -ENXIO;
	p->users--;
	if (p->users == 0)
		p->exclusive = 0;
	uart_update_ier(p);
	return 0;
}

static unsigned int uart_room(const struct uart_port *p)
{
	return RING_SIZE - p->tx.count;
}

static int uart_write(struct uart_port *p, unsigned char first, unsigned int length)
{
	unsigned int done = 0;

	if (p->users == 0)
		return -ENXIO;
	if (length > RING_SIZE)
		return -EINVAL;
	if (uart_room(p) == 0)
		return -EAGAIN;
#ifndef BUG
	while (done < length && !ring_full(&p->tx)) {
#else
	while (done < length) {
#endif
		ring_put(&p->tx, first);
		done++;
	}
	uart_update_ier(p);
	return (int)done;
}

static int uart_read(struct uart_port *p, unsigned char *byte)
{
	if (p->users == 0)
		return -ENXIO;
	if (ring_empty(&p->rx))
		return -EAGAIN;
	*byte = ring_get(&p->rx);
	return 1;
}

static void uart_receive(struct uart_port *p)
{
	if (p->regs.lsr & LSR_OVERRUN)
		p->stats.overruns++;
	if (ring_full(&p->rx)) {
		p->stats.overruns++;
		return;
	}
	ring_put(&p->rx, p->regs.rbr);
	p->stats.rx++;
}

static void uart_transmit(struct uart_port *p)
{
	assert(p->users > 0);
	p->regs.thr = ring_get(&p->tx);
	p->stats.tx++;
}

static void uart_interrupt(struct uart_port *p)
{
	if ((p->regs.lsr & LSR_DATA) && (p->regs.ier & IER_RX))
		uart_receive(p);
	if ((p->regs.lsr & LSR_THRE) && (p->regs.ier & IER_TX))
		uart_transmit(p);
	uart_update_ier(p);
}

/* What the hardware does between two calls. */
static void uart_hardware(struct uart_port *p)
{
	p->regs.lsr = __VERIFIER_nondet_uchar();
	p->regs.rbr = __VERIFIER_nondet_uchar();
}

int main(void)
{
	unsigned char byte = 0;

	while (1) {
		uart_hardware(&port);
		switch (__VERIFIER_nondet_int()) {
		case 0:
			uart_open(&port, __VERIFIER_nondet_bool());
			break;
		case 1:
			uart_close(&port);
			break;
		case 2:
			uart_write(&port, __VERIFIER_nondet_uchar(), __VERIFIER_nondet_uint());
			break;
		case 3:
			uart_read(&port, &byte);
			break;
		default:
			uart_interrupt(&port);
			break;
		}
		if (port.users == 0)
			assert(port.regs.ier == 0);
	}
}
