/*
 * A device that comes and goes: probe makes it, disconnect takes it away, files that are open keep it alive. Its life is a
 * reference count; the last one that lets go frees it.
 *
 * Why it is safe: `attached` and every used entry of `files` hold one reference each. usb_get is called before a pointer is
 * stored, usb_put after it was taken out, so the count is the number of stored pointers while the object lives, and nobody
 * reads a pointer that was taken out. Errors in probe and open undo exactly what was done before them.
 *
 * BUG: file_open takes its reference only after it has sent the start command; if that fails, the ladder puts a reference that
 * was never taken. The bus still points to the device, which is freed.
 *
 * options: --check null,free
 */
#include "../verifier.h"
#include <stdlib.h>

#define NR_FILES 2

#define ENOMEM 12
#define ENODEV 19
#define EBUSY 16
#define EIO 5
#define EBADF 9

struct usb_dev {
	int refs;
	int gone;
	int opened;
	unsigned char *buffer;
	unsigned int errors;
};

struct file {
	struct usb_dev *dev;
	int blocking;
};

struct bus {
	struct usb_dev *attached;
	struct file files[NR_FILES];
	unsigned int probes;
};

static struct bus bus;

static void *driver_alloc(unsigned long size)
{
	if (__VERIFIER_nondet_bool())
		return 0;
	return malloc(size);
}

static struct usb_dev *usb_get(struct usb_dev *dev)
{
	assert(dev->refs > 0);
	dev->refs++;
	return dev;
}

static void usb_release(struct usb_dev *dev)
{
	assert(dev->opened == 0);
	free(dev->buffer);
	free(dev);
}

static void usb_put(struct usb_dev *dev)
{
	assert(dev->refs > 0);
	dev->refs--;
	if (dev->refs == 0)
		usb_release(dev);
}

/* Talks to the device; fails if it is gone, and sometimes otherwise. */
static int usb_control(struct usb_dev *dev, unsigned char request)
{
	if (dev->gone)
		return -ENODEV;
	if (__VERIFIER_nondet_bool()) {
		dev->errors++;
		return -EIO;
	}
	dev->buffer[0] = request;
	return 0;
}

static int usb_probe(struct bus *b)
{
	struct usb_dev *dev;
	int ret;

	if (b->attached)
		return -EBUSY;
	b->probes++;
	dev = driver_alloc(sizeof *dev);
	if (!dev)
		return -ENOMEM;
	dev->refs = 1;
	dev->gone = 0;
	dev->opened = 0;
	dev->errors = 0;
	dev->buffer = driver_alloc(4);
	if (!dev->buffer) {
		ret = -ENOMEM;
		goto free_dev;
	}
	ret = usb_control(dev, 0x09);
	if (ret)
		goto free_buffer;
	b->attached = dev;
	return 0;

free_buffer:
	free(dev->buffer);
free_dev:
	free(dev);
	return ret;
}

static void usb_disconnect(struct bus *b)
{
	struct usb_dev *dev = b->attached;

	if (!dev)
		return;
	dev->gone = 1;
	b->attached = 0;
	usb_put(dev);
}

static int file_open(struct bus *b, struct file *f)
{
	struct usb_dev *dev = b->attached;
	int ret;

	if (f->dev)
		return -EBUSY;
	if (!dev)
		return -ENODEV;
#ifndef BUG
	usb_get(dev);
	dev->opened++;
	ret = usb_control(dev, 0x0b);
	if (ret)
		goto undo;
#else
	dev->opened++;
	ret = usb_control(dev, 0x0b);
	if (ret)
		goto undo;
	usb_get(dev);
#endif
	f->dev = dev;
	f->blocking = __VERIFIER_nondet_bool();
	return 0;

undo:
	dev->opened--;
	usb_put(dev);
	return ret;
}

static int file_close(struct file *f)
{
	struct usb_dev *dev = f->dev;

	if (!dev)
		return -EBADF;
	f->dev = 0;
	dev->opened--;
	usb_put(dev);
	return 0;
}

static int file_ioctl(struct file *f, unsigned char request)
{
	if (!f->dev)
		return -EBADF;
	return usb_control(f->dev, request);
}

int main(void)
{
	struct file *f;

	while (1) {
		f = &bus.files[__VERIFIER_nondet_bool()];
		switch (__VERIFIER_nondet_int()) {
		case 0:
			usb_probe(&bus);
			break;
		case 1:
			usb_disconnect(&bus);
			break;
		case 2:
			file_open(&bus, f);
			break;
		case 3:
			file_close(f);
			break;
		case 4:
			file_ioctl(f, __VERIFIER_nondet_uchar());
			break;
		default:
			break;
		}
	}
}
