/*
 * UTF-8 as utf8proc reads and writes it.
 *
 * package: utf8proc
 * cut: utf8proc.c from "#define utf_cont(ch)" to "#define utf_cont(ch)"
 * cut: utf8proc.c from "UTF8PROC_DLLEXPORT utf8proc_ssize_t utf8proc_iterate(" to "}"
 * cut: utf8proc.c from "UTF8PROC_DLLEXPORT utf8proc_bool utf8proc_codepoint_valid(" to "}"
 * cut: utf8proc.c from "UTF8PROC_DLLEXPORT utf8proc_ssize_t utf8proc_encode_char(" to "}"
 * text: 1bd3effb98ce12aa
 * bug: "(str + 1 >= end)" => "(str >= end)"
 * mutant: "if (uc == 0xed && *str > 0x9f)" => "if (uc == 0xed && *str > 0xaf)"
 * inputs: random
 * alphabet: a\xc3\xa9\xed\xa0\x80\xac\xf0\x9f
 */
#include "../verifier.h"
#include <stddef.h>
#include <stdint.h>

#define UTF8PROC_DLLEXPORT
#define UTF8PROC_ERROR_INVALIDUTF8 -3
typedef int32_t utf8proc_int32_t;
typedef uint32_t utf8proc_uint32_t;
typedef uint8_t utf8proc_uint8_t;
typedef ptrdiff_t utf8proc_ssize_t;
typedef _Bool utf8proc_bool;

#include "cut.h"

int main(void)
{
	utf8proc_uint8_t text[4], again[4];
	utf8proc_int32_t uc;
	utf8proc_ssize_t at = 0, n, i;

	for (i = 0; i < 4; i++)
		text[i] = __VERIFIER_nondet_uchar();
	while (at < 4) {
		n = utf8proc_iterate(text + at, 4 - at, &uc);
		if (n < 0) {
			assert(uc == -1);
			return 0;
		}
		assert(n >= 1 && n <= 4 - at);
		assert(utf8proc_codepoint_valid(uc));
		assert(utf8proc_encode_char(uc, again) == n);
		for (i = 0; i < n; i++)
			assert(again[i] == text[at + i]);
		at += n;
	}
	return 0;
}
