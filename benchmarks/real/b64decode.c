/*
 * The decoder of libb64, a state machine that is entered in the middle of a loop, on arbitrary characters. The package's own text
 * reads one element behind its table, which is the bug here.
 *
 * package: libb64
 * cut: include/b64/cdecode.h from "typedef enum" to "} base64_decodestate;"
 * cut: src/cdecode.c from "int base64_decode_value(" to "}"
 * cut: src/cdecode.c from "void base64_init_decodestate(" to "}"
 * cut: src/cdecode.c from "int base64_decode_block(" to "}"
 * text: 65468026e6e2e664
 * fix: "value_in > decoding_size" => "value_in >= decoding_size"
 * bug: "value_in >= decoding_size" => "value_in > decoding_size"
 * mutant: "(fragment & 0x03c) >> 2" => "(fragment & 0x03c) >> 1"
 * inputs: random
 * alphabet: ABcdz019+/=\n{
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
	char code[6], plain[6];
	base64_decodestate state;
	int i, letters = 0, n;

	for (i = 0; i < 6; i++) {
		code[i] = __VERIFIER_nondet_char();
		letters += digit(code[i]) >= 0;
	}
	base64_init_decodestate(&state);
	n = base64_decode_block(code, 3, plain, &state);
	n += base64_decode_block(code + 3, 3, plain + n, &state);
	assert(n == letters * 6 / 8);
	if (digit(code[0]) >= 0 && digit(code[1]) >= 0 && digit(code[2]) >= 0) {
		assert((unsigned char)plain[0] == ((digit(code[0]) << 2 | digit(code[1]) >> 4) & 0xff));
		assert((unsigned char)plain[1] == ((digit(code[1]) << 4 | digit(code[2]) >> 2) & 0xff));
	}
	return 0;
}
