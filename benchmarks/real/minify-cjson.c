/*
 * cJSON takes spaces and comments out of a text, in place.
 *
 * package: cjson
 * cut: cJSON.c from "static void skip_oneline_comment(" to "}"
 * cut: cJSON.c from "static void skip_multiline_comment(" to "}"
 * cut: cJSON.c from "static void minify_string(" to "}"
 * cut: cJSON.c from "CJSON_PUBLIC(void) cJSON_Minify(" to "}"
 * text: 9e60228e5b4c8a91
 * bug: "if (((*input)[0] == '*') && ((*input)[1] == '/'))" => "if (((*input)[0] == '*'))"
 * mutant: "case '\\r':" => "case '\\v':"
 * inputs: random
 * alphabet: /*"\\ \na
 */
#include "../verifier.h"
#include <stddef.h>

#define CJSON_PUBLIC(type) type
#define static_strlen(text) (sizeof(text) - 1)

#include "cut.h"

int main(void)
{
	char text[6];
	int i, n, quotes = 0, slashes = 0, kept = 0;

	for (i = 0; i < 5; i++) {
		text[i] = __VERIFIER_nondet_char();
		__VERIFIER_assume(text[i] != 0);
		quotes += text[i] == '"';
		slashes += text[i] == '/';
		kept += text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '\n';
	}
	text[5] = 0;
	cJSON_Minify(text);
	for (n = 0; n < 6 && text[n]; n++)
		;
	assert(n <= 5);
	if (quotes == 0) {
		for (i = 0; i < n; i++)
			assert(text[i] != ' ' && text[i] != '\r');
		assert(n <= kept);
		if (slashes == 0)
			assert(n == kept);
	}
	return 0;
}
