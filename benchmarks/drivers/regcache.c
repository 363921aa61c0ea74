/*
 * A sensor behind a slow bus whose registers are cached: writes go to the cache, and to the chip unless the bus is off; what the
 * chip has not got yet is marked by a bit and written when the bus is back. Volatile registers are never cached.
 *
 * Why it is safe: `cache[i] == chip[i]` for every cached register i whose dirty bit is 0. A write sets the cache and either writes
 * the chip as well or sets the bit; the synchronisation writes the chip before it clears the bit, and stops at the first error
 * with the bits of the rest still set. Register numbers are checked at the top, in chip_write and chip_read.
 *
 * BUG: the read-modify-write of sensor_set_bits leaves the register's bit alone when the value in the cache is already right,
 * and clears it when it writes: while the bus is off, the bit of an earlier write is lost.
 *
 * options: --check bounds,shift,null
 */
#include "../verifier.h"

#define NR_REGS 4
#define REG_CONFIG 0
#define REG_LIMIT 1
#define REG_RATE 2
#define REG_STATUS 3

#define CONFIG_ENABLE 0x01u
#define CONFIG_IRQ 0x02u
#define CONFIG_RESET 0x80u

#define EINVAL 22
#define EIO 5
#define EBUSY 16

struct chip {
	unsigned char regs[NR_REGS];
	int powered;
};

struct regmap {
	struct chip *chip;
	unsigned char cache[NR_REGS];
	unsigned int dirty;
	int cache_only;
};

struct sensor {
	struct regmap map;
	int enabled;
	unsigned int events;
};

static struct chip the_chip;
static struct sensor the_sensor;

static int is_volatile(unsigned int reg)
{
	return reg == REG_STATUS;
}

static int chip_write(struct chip *chip, unsigned int reg, unsigned char value)
{
	if (reg >= NR_REGS)
		return -EINVAL;
	assert(chip->powered);
	if (__VERIFIER_nondet_bool())
		return -EIO;
	chip->regs[reg] = value;
	return 0;
}

static int chip_read(struct chip *chip, unsigned int reg, unsigned char *value)
{
	if (reg >= NR_REGS)
		return -EINVAL;
	assert(chip->powered);
	*value = chip->regs[reg];
	return 0;
}

static int regmap_write(struct regmap *map, unsigned int reg, unsigned char value)
{
	int ret;

	if (reg >= NR_REGS)
		return -EINVAL;
	if (is_volatile(reg)) {
		if (map->cache_only)
			return -EBUSY;
		return chip_write(map->chip, reg, value);
	}
	map->cache[reg] = value;
	if (map->cache_only) {
		map->dirty |= 1u << reg;
		return 0;
	}
	ret = chip_write(map->chip, reg, value);
	if (ret)
		map->dirty |= 1u << reg;
	else
		map->dirty &= ~(1u << reg);
	return ret;
}

static int regmap_read(struct regmap *map, unsigned int reg, unsigned char *value)
{
	if (reg >= NR_REGS)
		return -EINVAL;
	if (!is_volatile(reg)) {
		*value = map->cache[reg];
		return 0;
	}
	if (map->cache_only)
		return -EBUSY;
	return chip_read(map->chip, reg, value);
}

static int regmap_sync(struct regmap *map)
{
	unsigned int reg;
	int ret;

	for (reg = 0; reg < NR_REGS; reg++) {
		if (!(map->dirty & (1u << reg)))
			continue;
		ret = chip_write(map->chip, reg, map->cache[reg]);
		if (ret)
			return ret;
		map->dirty &= ~(1u << reg);
	}
	return 0;
}

/* A cached register that is not dirty is what the chip has. */
static void regmap_check(const struct regmap *map, unsigned int reg)
{
	if (reg < NR_REGS && !is_volatile(reg) && !(map->dirty & (1u << reg)))
		assert(map->cache[reg] == map->chip->regs[reg]);
}

static int sensor_set_bits(struct sensor *s, unsigned int reg, unsigned char mask, unsigned char bits)
{
	unsigned char value;
	int ret = regmap_read(&s->map, reg, &value);

	if (ret)
		return ret;
	if ((value & mask) == (bits & mask))
		return 0;
	value = (unsigned char)((value & ~mask) | (bits & mask));
#ifndef BUG
	return regmap_write(&s->map, reg, value);
#else
	ret = regmap_write(&s->map, reg, value);
	if (ret == 0)
		s->map.dirty &= ~(1u << reg);
	return ret;
#endif
}

static int sensor_enable(struct sensor *s, int on)
{
	int ret = sensor_set_bits(s, REG_CONFIG, CONFIG_ENABLE | CONFIG_IRQ, on ? CONFIG_ENABLE | CONFIG_IRQ : 0);

	if (ret == 0)
		s->enabled = on;
	return ret;
}

static int sensor_set_limit(struct sensor *s, unsigned char limit)
{
	if (limit > 100)
		return -EINVAL;
	return regmap_write(&s->map, REG_LIMIT, limit);
}

static void sensor_suspend(struct sensor *s)
{
	s->map.cache_only = 1;
	s->map.chip->powered = 0;
}

static int sensor_resume(struct sensor *s)
{
	if (!s->map.cache_only)
		return 0;
	s->map.chip->powered = 1;
	s->map.cache_only = 0;
	return regmap_sync(&s->map);
}

static void sensor_interrupt(struct sensor *s)
{
	unsigned char status;

	if (regmap_read(&s->map, REG_STATUS, &status))
		return;
	if (status & 1)
		s->events++;
}

int main(void)
{
	the_sensor.map.chip = &the_chip;
	the_chip.powered = 1;
	while (1) {
		the_chip.regs[REG_STATUS] = __VERIFIER_nondet_uchar();
		switch (__VERIFIER_nondet_int()) {
		case 0:
			sensor_enable(&the_sensor, __VERIFIER_nondet_bool());
			break;
		case 1:
			sensor_set_limit(&the_sensor, __VERIFIER_nondet_uchar());
			break;
		case 2:
			sensor_suspend(&the_sensor);
			break;
		case 3:
			sensor_resume(&the_sensor);
			break;
		case 4:
			regmap_write(&the_sensor.map, __VERIFIER_nondet_uint(), __VERIFIER_nondet_uchar());
			break;
		default:
			sensor_interrupt(&the_sensor);
			break;
		}
		regmap_check(&the_sensor.map, __VERIFIER_nondet_uint());
	}
}
