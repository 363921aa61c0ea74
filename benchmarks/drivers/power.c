/*
 * Power management of a device with three levels: the core asks the bus, the bus asks the driver, each by a table of
 * functions. Registers may be touched only in D0; what they held is saved before the power goes and restored when it is back.
 *
 * Why it is safe: `state` changes only in bus_set_state, which calls suspend before it leaves D0 and resume after it is back.
 * `usage` counts the users that keep the device awake: it is positive only in D0, because core_get resumes first and the core
 * suspends only when it is zero. `saved` is set by suspend and cleared by resume, and the device leaves D0 in no other way.
 *
 * BUG: when the bus is told to wake the device and the driver's resume fails, the bus goes back to D3 - but core_get has counted
 * its user already and does not take that back. The user then writes registers in D3.
 *
 * options: --check null
 */
#include "../verifier.h"

enum power { D0, D1, D3 };

#define EIO 5
#define EBUSY 16
#define EAGAIN 11

#define CTRL_ENABLE 0x01u
#define CTRL_WAKE 0x10u

struct device;

struct driver_ops {
	int (*suspend)(struct device *);
	int (*resume)(struct device *);
};

struct bus_ops {
	int (*set_state)(struct device *, enum power);
	int (*may_wake)(const struct device *);
};

struct registers {
	unsigned int ctrl;
	unsigned int data;
};

struct device {
	const struct driver_ops *driver;
	const struct bus_ops *bus;
	struct registers regs;
	struct registers shadow;
	enum power state;
	int saved;
	int usage;
	int wake_armed;
	unsigned int failures;
};

static void reg_write(struct device *dev, unsigned int *reg, unsigned int value)
{
	assert(dev->state == D0);
	*reg = value;
}

static unsigned int reg_read(const struct device *dev, const unsigned int *reg)
{
	assert(dev->state == D0);
	return *reg;
}

static int nic_suspend(struct device *dev)
{
	assert(!dev->saved);
	dev->shadow.ctrl = reg_read(dev, &dev->regs.ctrl);
	dev->shadow.data = reg_read(dev, &dev->regs.data);
	if (__VERIFIER_nondet_bool())
		return -EBUSY;
	dev->saved = 1;
	if (dev->wake_armed)
		reg_write(dev, &dev->regs.ctrl, CTRL_WAKE);
	else
		reg_write(dev, &dev->regs.ctrl, 0);
	return 0;
}

static int nic_resume(struct device *dev)
{
	assert(dev->saved);
	if (__VERIFIER_nondet_bool()) {
		dev->failures++;
		return -EIO;
	}
	reg_write(dev, &dev->regs.data, dev->shadow.data);
	reg_write(dev, &dev->regs.ctrl, dev->shadow.ctrl | CTRL_ENABLE);
	dev->saved = 0;
	return 0;
}

static const struct driver_ops nic_driver = { nic_suspend, nic_resume };

static int pci_may_wake(const struct device *dev)
{
	return dev->failures < 3;
}

static int pci_set_state(struct device *dev, enum power state)
{
	enum power before = dev->state;
	int ret;

	if (before == state)
		return 0;
	if (before == D0) {
		ret = dev->driver->suspend(dev);
		if (ret)
			return ret;
		dev->state = state;
		return 0;
	}
	if (state == D0) {
		dev->state = D0;
		ret = dev->driver->resume(dev);
		if (ret)
			dev->state = D3;
		return ret;
	}
	dev->state = state;
	return 0;
}

static const struct bus_ops pci_bus = { pci_set_state, pci_may_wake };

static int core_get(struct device *dev)
{
	int ret;

	if (dev->usage == 8)
		return -EAGAIN;
	dev->usage++;
	if (dev->state == D0)
		return 0;
	if (!dev->bus->may_wake(dev)) {
		dev->usage--;
		return -EIO;
	}
	ret = dev->bus->set_state(dev, D0);
#ifndef BUG
	if (ret)
		dev->usage--;
#else
	if (ret == -EBUSY)
		dev->usage--;
#endif
	return ret;
}

static void core_put(struct device *dev)
{
	if (dev->usage > 0)
		dev->usage--;
}

static int core_idle(struct device *dev, enum power target)
{
	if (dev->usage > 0)
		return -EBUSY;
	if (target == D0)
		target = D1;
	return dev->bus->set_state(dev, target);
}

static void core_arm_wake(struct device *dev, int on)
{
	if (dev->state != D0)
		return;
	dev->wake_armed = on;
}

static void nic_transmit(struct device *dev, unsigned int value)
{
	if (dev->usage == 0)
		return;
	if (!(reg_read(dev, &dev->regs.ctrl) & CTRL_ENABLE))
		return;
	reg_write(dev, &dev->regs.data, value);
}

static void nic_configure(struct device *dev, unsigned int ctrl)
{
	if (core_get(dev))
		return;
	reg_write(dev, &dev->regs.ctrl, ctrl);
	core_put(dev);
}

static void device_init(struct device *dev)
{
	dev->driver = &nic_driver;
	dev->bus = &pci_bus;
	dev->state = D0;
	dev->saved = 0;
	dev->usage = 0;
	dev->wake_armed = 0;
	dev->failures = 0;
	dev->regs.ctrl = CTRL_ENABLE;
	dev->regs.data = 0;
}

int main(void)
{
	struct device nic;

	device_init(&nic);
	while (1) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			core_get(&nic);
			break;
		case 1:
			core_put(&nic);
			break;
		case 2:
			core_idle(&nic, D1);
			break;
		case 3:
			core_idle(&nic, D3);
			break;
		case 4:
			nic_transmit(&nic, __VERIFIER_nondet_uint());
			break;
		case 5:
			nic_configure(&nic, __VERIFIER_nondet_uint());
			break;
		default:
			core_arm_wake(&nic, __VERIFIER_nondet_bool());
			break;
		}
	}
}
