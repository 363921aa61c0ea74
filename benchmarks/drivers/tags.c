/*
 * A SCSI host: commands get a tag from a bit map, the tag is the slot of a table, the adapter answers by tag. Commands that take
 * too long are aborted; an abort can lose the race against the answer.
 *
 * Why it is safe: bit t of `busy` is set exactly while `slots[t].owner` is not 0, because tag_alloc and tag_free are the only
 * functions that change one of them and change both. A command is finished once: cmd_finish asks for its slot to be
 * used and ends in tag_free. Tags from the adapter are checked before they are used as an index.
 *
 * BUG: an abort that the adapter reports as "too late" frees the tag although the answer is still to come; when the tag has got a
 * new owner by then, the late answer finishes a command that was never sent.
 *
 * options: --check bounds,shift,null
 */
#include "../verifier.h"

#define NR_TAGS 4u
#define ALL_TAGS 0xfu

#define EBUSY 16
#define EINVAL 22
#define EIO 5

enum phase { IDLE, PREPARED, SENT, ABORTING };

struct command {
	enum phase phase;
	unsigned int tag;
	int result;
	int finished;
};

struct slot {
	struct command *owner;
	unsigned int age;
};

struct adapter {
	unsigned int outstanding;
	int online;
};

struct host {
	struct adapter adapter;
	struct slot slots[NR_TAGS];
	unsigned int busy;
	unsigned int timeouts;
};

static struct command read_cmd, write_cmd;
static struct host host;

static int tag_alloc(struct host *h, struct command *cmd)
{
	unsigned int tag;

	if (h->busy == ALL_TAGS)
		return -EBUSY;
	for (tag = 0; tag < NR_TAGS; tag++) {
		if (h->busy & (1u << tag))
			continue;
		assert(!h->slots[tag].owner);
		h->busy |= 1u << tag;
		h->slots[tag].owner = cmd;
		h->slots[tag].age = 0;
		cmd->tag = tag;
		return 0;
	}
	return -EBUSY;
}

static void tag_free(struct host *h, unsigned int tag)
{
	assert(tag < NR_TAGS);
	assert(h->busy & (1u << tag));
	h->busy &= ~(1u << tag);
	h->slots[tag].owner = 0;
}

static int adapter_send(struct adapter *a, unsigned int tag)
{
	assert(!(a->outstanding & (1u << tag)));
	if (!a->online)
		return -EIO;
	a->outstanding |= 1u << tag;
	return 0;
}

/* Whether the adapter took the command back before it was done. */
static int adapter_abort(struct adapter *a, unsigned int tag)
{
	if (!(a->outstanding & (1u << tag)))
		return 0;
	if (__VERIFIER_nondet_bool())
		return 0;
	a->outstanding &= ~(1u << tag);
	return 1;
}

static void cmd_finish(struct host *h, struct command *cmd, int result)
{
	assert(cmd->phase == SENT || cmd->phase == ABORTING || cmd->phase == PREPARED);
	cmd->result = result;
	cmd->finished = 1;
	cmd->phase = IDLE;
	tag_free(h, cmd->tag);
}

static int cmd_prepare(struct host *h, struct command *cmd)
{
	int ret;

	if (cmd->phase != IDLE)
		return -EBUSY;
	ret = tag_alloc(h, cmd);
	if (ret)
		return ret;
	cmd->phase = PREPARED;
	cmd->finished = 0;
	return 0;
}

static int cmd_send(struct host *h, struct command *cmd)
{
	int ret;

	if (cmd->phase != PREPARED)
		return -EINVAL;
	ret = adapter_send(&h->adapter, cmd->tag);
	if (ret) {
		cmd_finish(h, cmd, ret);
		return ret;
	}
	cmd->phase = SENT;
	return 0;
}

static void host_answer(struct host *h, unsigned int tag)
{
	struct command *cmd;

	if (tag >= NR_TAGS || !(h->adapter.outstanding & (1u << tag)))
		return;
	h->adapter.outstanding &= ~(1u << tag);
	cmd = h->slots[tag].owner;
	if (!cmd)
		return;
	assert(cmd->phase == SENT || cmd->phase == ABORTING);
	assert(cmd->tag == tag);
	cmd_finish(h, cmd, 0);
}

static void host_timeout(struct host *h, struct command *cmd)
{
	if (cmd->phase != SENT)
		return;
	h->timeouts++;
	cmd->phase = ABORTING;
	if (adapter_abort(&h->adapter, cmd->tag)) {
		cmd_finish(h, cmd, -EIO);
		return;
	}
#ifdef BUG
	cmd_finish(h, cmd, -EIO);
#endif
}

static void host_tick(struct host *h, unsigned int tag)
{
	struct slot *slot;

	if (tag >= NR_TAGS)
		return;
	slot = &h->slots[tag];
	if (!slot->owner)
		return;
	slot->age++;
	if (slot->age > 3)
		host_timeout(h, slot->owner);
}

static void host_online(struct host *h, int on)
{
	if (h->adapter.outstanding == 0)
		h->adapter.online = on;
}

static struct command *any_command(void)
{
	return __VERIFIER_nondet_bool() ? &read_cmd : &write_cmd;
}

int main(void)
{
	while (1) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			cmd_prepare(&host, any_command());
			break;
		case 1:
			cmd_send(&host, any_command());
			break;
		case 2:
			host_answer(&host, __VERIFIER_nondet_uint());
			break;
		case 3:
			host_tick(&host, __VERIFIER_nondet_uint());
			break;
		case 4:
			host_timeout(&host, any_command());
			break;
		default:
			host_online(&host, __VERIFIER_nondet_bool());
			break;
		}
	}
}
