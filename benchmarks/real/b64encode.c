/*
 * The encoder of libb64 in two calls, and its end.
 *
 * package: libb64
 * cut: include/b64/cencode.h from "typedef enum" to "} base64_encodestate;"
 * cut: src/cencode.c from "const int CHARS_PER_LINE" to "const int CHARS_PER_LINE"
 * cut: src/cencode.c from "void base64_init_encodestate(" to "}"
 * cut: src/cencode.c from "char base64_encode_value(" to "}"
 * cut: src/cencode.c from "int base64_encode_block(" to "}"
 * cut: src/cencode.c from "int base64_encode_blockend(" to "}"
 * text: 9b3b890d17c377d9
 * bug: "result = (fragment & 0x0fc) >> 2;" => "result = fragment >> 2;"
 * mutant: "result |= (fragment & 0x0f0) >> 4;" => "result |= (fragment & 0x0f0) >> 5;"
 * inputs: random
 */
#include "../verifier.h"

#include "cut.h"

static int digit(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int main(void)
{
	char plain[4], code[9];
	base64_encodestate state;
	int i, k, n;
	unsigned int bits;

	for (i = 0; i < 4; i++)
		plain[i] = __VERIFIER_nondet_char();
	k = __VERIFIER_nondet_uchar();
	__VERIFIER_assume(k <= 4);
	base64_init_encodestate(&state);
	n = base64_encode_block(plain, k, code, &state);
	n += base64_encode_block(plain + k, 4 - k, code + n, &state);
	n += base64_encode_blockend(code + n, &state);
	assert(n == 9);
	assert(code[6] == '=' && code[7] == '=' && code[8] == '\n');
	bits = (unsigned int)digit(code[0]) << 18 | (unsigned int)digit(code[1]) << 12 |
	       (unsigned int)digit(code[2]) << 6 | (unsigned int)digit(code[3]);
	assert(bits == ((unsigned int)(unsigned char)plain[0] << 16 | (unsigned int)(unsigned char)plain[1] << 8 |
			(unsigned char)plain[2]));
	return 0;
}
