/*
 * YAJL writes a text as a JSON string, through a function that its caller gives it.
 *
 * package: yajl
 * cut: src/yajl_encode.c from "static void CharToHex(" to "}"
 * cut: src/yajl_encode.c from "void" to "}"
 * text: beefa7ea21d5bb6b
 * bug: "if ((unsigned char) str[end] < 32) {" => "if ((signed char) str[end] < 32) {"
 * mutant: "hexchar[c >> 4]" => "hexchar[c >> 5]"
 * inputs: random
 * alphabet: ab"\\/\n\t\x01\x1f
 */
#include "../verifier.h"
#include <stddef.h>
#include <string.h>

typedef void (*yajl_print_t)(void *ctx, const char *str, size_t len);

#include "cut.h"

struct sink {
	char data[24];
	size_t used;
};

static void put(void *ctx, const char *str, size_t len)
{
	struct sink *sink = ctx;
	size_t i;

	for (i = 0; i < len; i++)
		sink->data[sink->used++] = str[i];
}

int main(void)
{
	unsigned char text[3];
	struct sink sink;
	size_t i, special = 0;

	for (i = 0; i < 3; i++) {
		text[i] = __VERIFIER_nondet_uchar();
		special += text[i] < 32 || text[i] == '"' || text[i] == '\\';
	}
	sink.used = 0;
	yajl_string_encode(put, &sink, text, 3, 0);
	assert(sink.used >= 3 && sink.used <= 18);
	assert(special > 0 || sink.used == 3);
	for (i = 0; i < sink.used; i++)
		assert((unsigned char)sink.data[i] >= 32);
	if (text[0] == 31)
		assert(sink.data[4] == '1' && sink.data[5] == 'F');
	if (text[0] >= 128)
		assert((unsigned char)sink.data[0] == text[0]);
	return 0;
}
