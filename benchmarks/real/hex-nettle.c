/*
 * Nettle reads hexadecimal digits with a table, one at a time.
 *
 * package: nettle
 * cut: base16-decode.c from "base16_decode_init(struct" to "}"
 * cut: base16-decode.c from "static const signed char" to "  };"
 * cut: base16-decode.c from "int" to "}"
 * cut: base16-decode.c from "int" to "}" second
 * text: 451920ef4a7bc210
 * bug: "if (usrc >= 0x80)" => "if (usrc > 0x80)"
 * mutant: "(ctx->word << 4) | digit" => "(ctx->word << 3) | digit"
 * inputs: random
 * alphabet: 0123456789abcdefABCDEF \n\x80
 */
#include "../verifier.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define BASE16_DECODE_LENGTH(length) (((length) + 1) / 2)
struct base16_decode_ctx {
	unsigned char word;
	unsigned char bits;
};

void
#include "cut.h"

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int main(void)
{
	struct base16_decode_ctx ctx;
	char text[4];
	uint8_t bytes[2];
	size_t length = 9;
	int i, ok;

	for (i = 0; i < 4; i++)
		text[i] = __VERIFIER_nondet_char();
	base16_decode_init(&ctx);
	ok = base16_decode_update(&ctx, &length, bytes, 4, text);
	if (hex(text[0]) >= 0 && hex(text[1]) >= 0 && hex(text[2]) >= 0 && hex(text[3]) >= 0) {
		assert(ok && length == 2);
		assert(bytes[0] == hex(text[0]) * 16 + hex(text[1]));
		assert(bytes[1] == hex(text[2]) * 16 + hex(text[3]));
	}
	if (ok)
		assert(length <= 2);
	return 0;
}
