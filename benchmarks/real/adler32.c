/*
 * The checksum of zlib: in one piece, in two pieces, and by its definition.
 *
 * package: zlib
 * cut: adler32.c from "#define BASE" to "#define NMAX"
 * cut: adler32.c from "#define DO1(" to "#define DO16("
 * cut: adler32.c from "#  define MOD(a) a %= BASE" to "#  define MOD28(a) a %= BASE"
 * cut: adler32.c from "uLong ZEXPORT adler32_z(" to "}"
 * cut: adler32.c from "uLong ZEXPORT adler32(" to "}"
 * text: 82950ecedf7d7441
 * bug: "adler += buf[0];" => "adler += buf[len];"
 * mutant: "sum2 = (adler >> 16) & 0xffff;" => "sum2 = (adler >> 16) & 0xff;"
 * inputs: random
 */
#include "../verifier.h"

#define ZEXPORT
#define Z_NULL 0
typedef unsigned long uLong;
typedef unsigned int uInt;
typedef unsigned char Bytef;
typedef unsigned long z_size_t;

#include "cut.h"

int main(void)
{
	unsigned char data[5];
	unsigned int n = 5, k, i;
	unsigned long a = 1, b = 0, whole, parts;

	for (i = 0; i < n; i++) {
		data[i] = __VERIFIER_nondet_uchar();
		a += data[i];
		b += a;
	}
	whole = adler32(1, data, n);
	assert(whole == (b << 16 | a));
	k = __VERIFIER_nondet_uchar();
	__VERIFIER_assume(k <= n);
	parts = adler32(adler32(1, data, k), data + k, n - k);
	assert(parts == whole);
	assert(adler32(1, Z_NULL, 0) == 1);
	return 0;
}
