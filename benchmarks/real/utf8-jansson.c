/*
 * UTF-8 as Jansson reads and writes it: every character that is accepted is written back as the same bytes.
 *
 * package: jansson
 * cut: src/utf.c from "int utf8_encode(" to "}"
 * cut: src/utf.c from "size_t utf8_check_first(" to "}"
 * cut: src/utf.c from "size_t utf8_check_full(" to "}"
 * cut: src/utf.c from "const char *utf8_iterate(" to "}"
 * cut: src/utf.c from "int utf8_check_string(" to "}"
 * text: f44146c7c9f446a3
 * bug: "if (count > length - i)" => "if (count > length)"
 * mutant: "0x80 + ((codepoint & 0x03F))" => "0x80 + ((codepoint & 0x01F))"
 * inputs: random
 * alphabet: a\xc3\xa9\xe2\x82\xac\xf0\x9f
 */
#include "../verifier.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"

int main(void)
{
	char text[4], again[4];
	const char *p = text, *next;
	int32_t codepoint;
	size_t size, i, n = 4;

	for (i = 0; i < n; i++)
		text[i] = __VERIFIER_nondet_char();
	if (!utf8_check_string(text, n))
		return 0;
	while (p < text + n) {
		next = utf8_iterate(p, (size_t)(text + n - p), &codepoint);
		assert(next != 0);
		assert(codepoint >= 0 && codepoint <= 0x10FFFF);
		assert(utf8_encode(codepoint, again, &size) == 0);
		assert(next == p + size);
		for (i = 0; i < size; i++)
			assert(again[i] == p[i]);
		p = next;
	}
	return 0;
}
