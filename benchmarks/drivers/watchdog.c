/*
 * A watchdog with a timer and a deferred work item: the timer queues the work, the work looks at the hardware and rearms the
 * timer. Users keep it alive by pings; it is shut down for good when the module goes.
 *
 * Why it is safe: after wd_remove `gone` is set, the timer is not armed and the work is not queued, and nothing arms or queues
 * again: timer_arm and work_queue are called only by functions that look at `gone` and `active` under the lock first.
 * wd_work_run rearms only while `active`, and both callbacks run only if their object was armed or queued.
 *
 * BUG: the work takes the lock again for its second half, after it has talked to the hardware - and no longer asks whether the
 * watchdog was stopped in between (the harness lets it be stopped there).
 *
 * options:
 */
#include "../verifier.h"

#define WD_MIN 1u
#define WD_MAX 60u
#define ENODEV 19
#define EBUSY 16
#define EINVAL 22

#define STATUS_EXPIRED 0x1u
#define STATUS_HEALTHY 0x2u

struct spinlock {
	int held;
};

struct watchdog;

struct timer {
	int armed;
	unsigned int delay;
	void (*function)(struct watchdog *);
};

struct work {
	int queued;
	int running;
	void (*function)(struct watchdog *);
};

struct watchdog {
	struct spinlock lock;
	struct timer timer;
	struct work work;
	unsigned int timeout;
	unsigned int missed;
	int active;
	int gone;
	int reboot;
};

static struct watchdog wd;

static int wd_stop(struct watchdog *w);
static void wd_remove(struct watchdog *w);

static void spin_lock(struct spinlock *l)
{
	assert(l->held == 0);
	l->held = 1;
}

static void spin_unlock(struct spinlock *l)
{
	assert(l->held == 1);
	l->held = 0;
}

static void timer_arm(struct watchdog *w, unsigned int delay)
{
	assert(w->lock.held);
	assert(!w->gone);
	assert(delay >= WD_MIN && delay <= WD_MAX);
	w->timer.delay = delay;
	w->timer.armed = 1;
}

static void timer_cancel(struct watchdog *w)
{
	w->timer.armed = 0;
}

static void work_queue(struct watchdog *w)
{
	assert(w->lock.held);
	assert(!w->gone);
	w->work.queued = 1;
}

static void work_cancel(struct watchdog *w)
{
	w->work.queued = 0;
}

static void wd_timer_fired(struct watchdog *w)
{
	spin_lock(&w->lock);
	if (w->active) {
		w->missed++;
		work_queue(w);
	}
	spin_unlock(&w->lock);
}

static unsigned int hw_status(struct watchdog *w)
{
	unsigned char status = __VERIFIER_nondet_uchar();

	assert(!w->lock.held);
	return status & (STATUS_EXPIRED | STATUS_HEALTHY);
}

/* What other processors may do while the work does not hold the lock. */
static void wd_preempt(struct watchdog *w)
{
	switch (__VERIFIER_nondet_int()) {
	case 0:
		wd_stop(w);
		break;
	case 1:
		wd_remove(w);
		break;
	default:
		break;
	}
}

static void wd_work_run(struct watchdog *w)
{
	unsigned int status;

	spin_lock(&w->lock);
	if (!w->active) {
		spin_unlock(&w->lock);
		return;
	}
	spin_unlock(&w->lock);

	status = hw_status(w);
	wd_preempt(w);

	spin_lock(&w->lock);
#ifndef BUG
	if (!w->active) {
		spin_unlock(&w->lock);
		return;
	}
#endif
	if (status & STATUS_EXPIRED) {
		w->reboot = 1;
		w->active = 0;
	} else {
		if (status & STATUS_HEALTHY)
			w->missed = 0;
		timer_arm(w, w->timeout);
	}
	spin_unlock(&w->lock);
}

static int wd_start(struct watchdog *w, unsigned int timeout)
{
	int ret = 0;

	if (timeout < WD_MIN || timeout > WD_MAX)
		return -EINVAL;
	spin_lock(&w->lock);
	if (w->gone) {
		ret = -ENODEV;
	} else if (w->active) {
		ret = -EBUSY;
	} else {
		w->timeout = timeout;
		w->active = 1;
		w->missed = 0;
		timer_arm(w, timeout);
	}
	spin_unlock(&w->lock);
	return ret;
}

static int wd_stop(struct watchdog *w)
{
	spin_lock(&w->lock);
	if (!w->active) {
		spin_unlock(&w->lock);
		return -EINVAL;
	}
	w->active = 0;
	timer_cancel(w);
	work_cancel(w);
	spin_unlock(&w->lock);
	return 0;
}

static void wd_ping(struct watchdog *w)
{
	spin_lock(&w->lock);
	if (w->active) {
		w->missed = 0;
		timer_arm(w, w->timeout);
	}
	spin_unlock(&w->lock);
}

static void wd_remove(struct watchdog *w)
{
	spin_lock(&w->lock);
	w->active = 0;
	w->gone = 1;
	timer_cancel(w);
	work_cancel(w);
	spin_unlock(&w->lock);
}

/* The core: runs what is due, once. */
static void core_run_timer(struct watchdog *w)
{
	if (!w->timer.armed)
		return;
	w->timer.armed = 0;
	w->timer.function(w);
}

static void core_run_work(struct watchdog *w)
{
	if (!w->work.queued)
		return;
	w->work.queued = 0;
	assert(!w->work.running);
	w->work.running = 1;
	w->work.function(w);
	w->work.running = 0;
}

int main(void)
{
	wd.timer.function = wd_timer_fired;
	wd.work.function = wd_work_run;
	while (1) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			wd_start(&wd, __VERIFIER_nondet_uint());
			break;
		case 1:
			wd_stop(&wd);
			break;
		case 2:
			wd_ping(&wd);
			break;
		case 3:
			wd_remove(&wd);
			break;
		case 4:
			core_run_timer(&wd);
			break;
		default:
			core_run_work(&wd);
			break;
		}
		if (wd.gone)
			assert(!wd.timer.armed && !wd.work.queued);
	}
}
