/*
 * The decompressor of liblzf on six bytes, into a buffer of eight. References go less than 256 bytes back: the code steps before
 * its buffer to see that it does, and if it could step far, it might step over the beginning of memory.
 *
 * package: liblzf
 * cut: lzf_d.c from "lzf_decompress (const" to "}"
 * text: 14261494825fe1cb
 * bug: "if (ip + ctrl > in_end)" => "if (ip + ctrl > in_end + 1)"
 * mutant: "len = ctrl >> 5" => "len = ctrl >> 6"
 * inputs: random
 * alphabet: \x01\x02\x03\x04\x20\x40\xe0
 */
#include "../verifier.h"
#include <string.h>

typedef unsigned char u8;
#define SET_ERRNO(n)
#define CHECK_INPUT 1

unsigned int
#include "cut.h"

int main(void)
{
	unsigned char in[6], out[8];
	unsigned int i, n;

	for (i = 0; i < 6; i++) {
		in[i] = __VERIFIER_nondet_uchar();
		__VERIFIER_assume((in[i] & 0xe0) == 0 || (in[i] & 0x1f) == 0);
	}
	n = lzf_decompress(in, 6, out, 8);
	assert(n <= 8);
	if (n > 0) {
		assert(in[0] < 32);
		for (i = 0; i <= in[0]; i++)
			assert(out[i] == in[i + 1]);
	}
	/* Two literals, then three bytes from two behind. */
	if (in[0] == 1 && in[3] == 0x20 && in[4] == 1 && in[5] < 1)
		assert(n == 0);
	if (in[0] == 2 && in[4] == 0x20 && in[5] == 0)
		assert(n == 6 && out[5] == in[3] && out[3] == in[3]);
	return 0;
}
