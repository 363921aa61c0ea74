/*
 * Redis reads a number and writes it: what is accepted is written as the same text.
 *
 * package: redis
 * cut: src/util.c from "uint32_t digits10(" to "}"
 * cut: src/util.c from "int ull2string(" to "}"
 * cut: src/util.c from "int ll2string(" to "}"
 * cut: src/util.c from "int string2ll(" to "}"
 * text: 8cb64ac0a8474151
 * bug: "if (length >= dstlen) return 0;" => "if (length > dstlen) return 0;"
 * mutant: "if (p[0] >= '1' && p[0] <= '9') {" => "if (p[0] >= '0' && p[0] <= '9') {"
 * inputs: random
 * alphabet: -0123456789
 */
#include "../verifier.h"
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define LONG_STR_SIZE 21

#include "cut.h"

int main(void)
{
	char text[4], again[5], tight[4];
	long long value = 0;
	int i, length;

	for (i = 0; i < 4; i++)
		text[i] = __VERIFIER_nondet_char();
	if (!string2ll(text, 4, &value))
		return 0;
	assert(value >= -999 && value <= 9999);
	length = ll2string(again, sizeof again, value);
	assert(length == 4 && again[4] == 0);
	for (i = 0; i < 4; i++)
		assert(again[i] == text[i]);
	assert(ll2string(tight, sizeof tight, value) == 0);
	return 0;
}
