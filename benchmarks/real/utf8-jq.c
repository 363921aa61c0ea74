/*
 * UTF-8 as jq reads it, with tables for the first byte.
 *
 * package: jq
 * cut: src/jv_utf8_tables.h all
 * cut: src/jv_unicode.c from "const char* jvp_utf8_next(" to "}"
 * cut: src/jv_unicode.c from "int jvp_utf8_is_valid(" to "}"
 * cut: src/jv_unicode.c from "int jvp_utf8_encode_length(" to "}"
 * cut: src/jv_unicode.c from "int jvp_utf8_encode(" to "}"
 * text: 4a69e5e985ce65f1
 * bug: "in + length > end" => "in + length > end + 1"
 * mutant: "(codepoint << 6) | (ch & 0x3f)" => "(codepoint << 6) | (ch & 0x1f)"
 * inputs: random
 * alphabet: a\xc3\xa9\xe2\x82\xac\xf0\x9f
 */
#include "../verifier.h"

#include "cut.h"

int main(void)
{
	char text[4], again[4];
	const char *p = text, *next;
	int codepoint, i, length;

	for (i = 0; i < 4; i++)
		text[i] = __VERIFIER_nondet_char();
	while ((next = jvp_utf8_next(p, text + 4, &codepoint)) != 0) {
		assert(next > p && next <= text + 4);
		if (codepoint != -1) {
			length = jvp_utf8_encode(codepoint, again);
			assert(next - p == length);
			for (i = 0; i < length; i++)
				assert(again[i] == p[i]);
		}
		p = next;
	}
	assert(p == text + 4);
	if (text[0] == '\xf4' && text[1] == '\x8f' && text[2] == '\xbf' && text[3] == '\xbf')
		assert(jvp_utf8_is_valid(text, text + 4));
	return 0;
}
