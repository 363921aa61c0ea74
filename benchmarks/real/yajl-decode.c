/*
 * YAJL reads a JSON string with one escape of four hexadecimal digits into a buffer that grows.
 *
 * package: yajl
 * cut: src/yajl_buf.c from "struct yajl_buf_t {" to "};"
 * cut: src/yajl_buf.c from "void yajl_buf_ensure_available(" to "}"
 * cut: src/yajl_buf.c from "void yajl_buf_append(" to "}"
 * cut: src/yajl_encode.c from "static void hexToDigit(" to "}"
 * cut: src/yajl_encode.c from "static void Utf32toUtf8(" to "}"
 * cut: src/yajl_encode.c from "void yajl_string_decode(" to "}"
 * text: c96d7c82084c03ab
 * bug: "while (want >= (need - buf->used)) need <<= 1;" => "while (want > (need - buf->used)) need <<= 1;"
 * mutant: "(codepoint >> 6) | 0xC0" => "(codepoint >> 5) | 0xC0"
 * inputs: random
 * alphabet: 0123456789abcdefABCDEF
 */
#include "../verifier.h"
#include <stdlib.h>
#include <string.h>

#define YAJL_BUF_INIT_SIZE 2
typedef struct {
	int unused;
} yajl_alloc_funcs;
#define YA_MALLOC(afs, sz) malloc(sz)
#define YA_REALLOC(afs, ptr, sz) realloc((ptr), (sz))
typedef struct yajl_buf_t *yajl_buf;

#include "cut.h"

static int hex(unsigned char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int main(void)
{
	unsigned char text[8] = { '\\', 'u', 0, 0, 0, 0, 'z', 0 };
	unsigned int code = 0, i;
	struct yajl_buf_t buf = { 0, 0, 0, 0 };

	for (i = 2; i < 6; i++) {
		text[i] = __VERIFIER_nondet_uchar();
		__VERIFIER_assume(hex(text[i]) >= 0);
		code = code << 4 | (unsigned int)hex(text[i]);
	}
	yajl_string_decode(&buf, text, 7);
	assert(buf.used < buf.len);
	if (code < 0x80)
		assert(buf.used == 2 && buf.data[0] == code);
	else if (code < 0x800)
		assert(buf.used == 3 && ((buf.data[0] & 0x1fu) << 6 | (buf.data[1] & 0x3fu)) == code);
	else if ((code & 0xFC00) != 0xD800)
		assert(buf.used == 4);
	else
		assert(buf.used >= 1 && buf.data[0] == '?');
	free(buf.data);
	return 0;
}
