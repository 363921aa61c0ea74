/*
 * libsodium's hexadecimal digits without branches on secrets: read what was written, and read anything.
 *
 * package: libsodium
 * cut: src/libsodium/sodium/codecs.c from "char *" to "}"
 * cut: src/libsodium/sodium/codecs.c from "int" to "}"
 * text: faf553e1a83460aa
 * bug: "if (bin_pos >= bin_maxlen)" => "if (bin_pos > bin_maxlen)"
 * mutant: "c_alpha  = (c & ~32U) - 55U;" => "c_alpha  = (c & ~32U) - 54U;"
 * inputs: random
 * alphabet: 0123456789abcdefABCDEF:
 */
#include "../verifier.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define sodium_misuse() assert(0)

#include "cut.h"

int main(void)
{
	unsigned char bytes[2], again[2];
	char text[6], written[5];
	const char *end = 0;
	size_t length = 9;
	int i;

	bytes[0] = __VERIFIER_nondet_uchar();
	bytes[1] = __VERIFIER_nondet_uchar();
	sodium_bin2hex(written, sizeof written, bytes, 2);
	assert(sodium_hex2bin(again, 2, written, 4, 0, &length, 0) == 0);
	assert(length == 2 && again[0] == bytes[0] && again[1] == bytes[1]);
	for (i = 0; i < 6; i++)
		text[i] = __VERIFIER_nondet_char();
	if (sodium_hex2bin(again, 2, text, 6, ":", &length, &end) == 0)
		assert(length <= 2 && end >= text && end <= text + 6);
	else
		assert(length == 0);
	return 0;
}
