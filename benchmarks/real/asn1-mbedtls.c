/*
 * Mbed TLS reads a tag, a length in up to five bytes, and an integer, from seven bytes.
 *
 * package: mbedtls
 * cut: library/asn1parse.c from "int mbedtls_asn1_get_len(" to "}"
 * cut: library/asn1parse.c from "int mbedtls_asn1_get_tag(" to "}"
 * cut: library/asn1parse.c from "static int asn1_get_tagged_int(" to "}"
 * cut: library/asn1parse.c from "int mbedtls_asn1_get_int(" to "}"
 * text: 890214ccd92d4e4b
 * bug: "if ((end - *p) < 3) {" => "if ((end - *p) < 2) {"
 * mutant: "*val = (*val << 8) | **p;" => "*val = (*val << 7) | **p;"
 * inputs: random
 * alphabet: \x02\x01\x03\x81\x82
 */
#include "../verifier.h"
#include <stddef.h>

#define MBEDTLS_ERR_ASN1_OUT_OF_DATA -0x0060
#define MBEDTLS_ERR_ASN1_UNEXPECTED_TAG -0x0062
#define MBEDTLS_ERR_ASN1_INVALID_LENGTH -0x0064
#define MBEDTLS_ERR_ERROR_CORRUPTION_DETECTED -0x006E
#define MBEDTLS_ASN1_INTEGER 0x02

#include "cut.h"

int main(void)
{
	unsigned char data[7], *p = data, *end;
	int i, value = -1, ret, n = __VERIFIER_nondet_uchar();

	__VERIFIER_assume(n <= 7);
	for (i = 0; i < 7; i++)
		data[i] = __VERIFIER_nondet_uchar();
	end = data + 7;
	p = end - n;
	ret = mbedtls_asn1_get_int(&p, end, &value);
	assert(p >= data && p <= end);
	if (ret == 0) {
		assert(value >= 0 && n >= 3);
		if (n == 4 && data[4] == 2)
			assert(value == data[5] * 256 + data[6]);
	}
	return 0;
}
