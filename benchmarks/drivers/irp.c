/*
 * A stack of three devices - filter, function, bus - and packets that travel down by a table of dispatch functions. Each packet
 * is completed exactly once, by whichever driver ends it; one that is pending belongs to the bus until its interrupt or its
 * cancellation.
 *
 * Why it is safe: `irp->completed` is set by irp_complete only. A dispatch function that returns STATUS_PENDING has stored the
 * packet in `bus.pending` and marked it; every other status has been given to irp_complete once. The bus takes the packet out
 * of `pending` before it completes it, and does not accept a second one while there is one.
 *
 * BUG: the filter's read ends packets with a bad length itself, but then passes them down as it does with all others.
 *
 * options:
 */
#include "../verifier.h"

#define STATUS_SUCCESS 0
#define STATUS_PENDING 0x103
#define STATUS_INVALID (-1)
#define STATUS_BUSY (-2)
#define STATUS_CANCELLED (-3)
#define STATUS_NO_DEVICE (-4)

#define IRP_CREATE 0
#define IRP_CLOSE 1
#define IRP_READ 2
#define IRP_CONTROL 3
#define IRP_MAJOR 4

struct device;

struct irp {
	unsigned int major;
	unsigned int length;
	int status;
	int completed;
	int pending;
};

typedef int (*dispatch_fn)(struct device *, struct irp *);

struct driver {
	dispatch_fn major[IRP_MAJOR];
};

struct device {
	const struct driver *driver;
	struct device *lower;
	struct irp *pending;
	int opened;
	int removed;
	unsigned int passed;
};

static struct device filter, function, bus;

static void irp_complete(struct irp *irp, int status)
{
	assert(!irp->completed);
	assert(!irp->pending);
	irp->completed = 1;
	irp->status = status;
}

static int irp_end(struct irp *irp, int status)
{
	irp_complete(irp, status);
	return status;
}

static int call_driver(struct device *dev, struct irp *irp)
{
	if (irp->major >= IRP_MAJOR)
		return irp_end(irp, STATUS_INVALID);
	return dev->driver->major[irp->major](dev, irp);
}

static int pass_down(struct device *dev, struct irp *irp)
{
	dev->passed++;
	return call_driver(dev->lower, irp);
}

static int filter_read(struct device *dev, struct irp *irp)
{
	if (irp->length > 4096) {
#ifndef BUG
		return irp_end(irp, STATUS_INVALID);
#else
		irp_complete(irp, STATUS_INVALID);
#endif
	}
	return pass_down(dev, irp);
}

static int function_create(struct device *dev, struct irp *irp)
{
	if (dev->opened)
		return irp_end(irp, STATUS_BUSY);
	dev->opened = 1;
	return pass_down(dev, irp);
}

static int function_close(struct device *dev, struct irp *irp)
{
	if (!dev->opened)
		return irp_end(irp, STATUS_INVALID);
	dev->opened = 0;
	return pass_down(dev, irp);
}

static int function_read(struct device *dev, struct irp *irp)
{
	if (!dev->opened)
		return irp_end(irp, STATUS_INVALID);
	if (irp->length == 0)
		return irp_end(irp, STATUS_SUCCESS);
	return pass_down(dev, irp);
}

static int bus_simple(struct device *dev, struct irp *irp)
{
	if (dev->removed)
		return irp_end(irp, STATUS_NO_DEVICE);
	return irp_end(irp, STATUS_SUCCESS);
}

static int bus_read(struct device *dev, struct irp *irp)
{
	if (dev->removed)
		return irp_end(irp, STATUS_NO_DEVICE);
	if (dev->pending)
		return irp_end(irp, STATUS_BUSY);
	irp->pending = 1;
	dev->pending = irp;
	return STATUS_PENDING;
}

static const struct driver filter_driver = { { pass_down, pass_down, filter_read, pass_down } };
static const struct driver function_driver = { { function_create, function_close, function_read, pass_down } };
static const struct driver bus_driver = { { bus_simple, bus_simple, bus_read, bus_simple } };

static void bus_finish(struct device *dev, int status)
{
	struct irp *irp = dev->pending;

	if (!irp)
		return;
	dev->pending = 0;
	irp->pending = 0;
	irp_complete(irp, status);
}

static void bus_interrupt(struct device *dev)
{
	bus_finish(dev, STATUS_SUCCESS);
}

static void bus_cancel(struct device *dev)
{
	bus_finish(dev, STATUS_CANCELLED);
}

static void bus_remove(struct device *dev)
{
	dev->removed = 1;
	bus_finish(dev, STATUS_NO_DEVICE);
}

static void stack_build(void)
{
	filter.driver = &filter_driver;
	filter.lower = &function;
	function.driver = &function_driver;
	function.lower = &bus;
	bus.driver = &bus_driver;
	bus.lower = 0;
}

/* Sends one packet and waits until it is done. */
static void send(unsigned int major, unsigned int length)
{
	struct irp irp;
	int status;

	irp.major = major;
	irp.length = length;
	irp.status = STATUS_SUCCESS;
	irp.completed = 0;
	irp.pending = 0;
	status = call_driver(&filter, &irp);
	if (status == STATUS_PENDING) {
		assert(bus.pending == &irp);
		switch (__VERIFIER_nondet_int()) {
		case 0:
			bus_cancel(&bus);
			break;
		case 1:
			bus_remove(&bus);
			break;
		default:
			bus_interrupt(&bus);
			break;
		}
	} else {
		assert(irp.status == status);
	}
	assert(irp.completed);
	assert(!bus.pending);
}

int main(void)
{
	stack_build();
	while (1) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			bus_interrupt(&bus);
			break;
		case 1:
			bus_remove(&bus);
			break;
		case 2:
			bus.removed = 0;
			break;
		default:
			send(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
			break;
		}
	}
}
