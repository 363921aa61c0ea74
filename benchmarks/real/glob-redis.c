/*
 * The patterns of Redis: recursive, with classes and escapes; a pattern of three characters and a text of two.
 *
 * package: redis
 * cut: src/util.c from "static int stringmatchlen_impl(" to "}"
 * cut: src/util.c from "int stringmatchlen(" to "}"
 * text: 66361eb3d9a1f804
 * bug: "} else if (patternLen == 0) {" => "} else if (patternLen < 0) {"
 * mutant: "match = !match;" => "match = match;"
 * inputs: random
 * alphabet: *?[]^\\-ab
 */
#include "../verifier.h"
#include <ctype.h>

#include "cut.h"

static int plain(char c)
{
	return c != '*' && c != '?' && c != '[' && c != '\\';
}

int main(void)
{
	char pattern[4], text[3];
	int i, answer;

	for (i = 0; i < 3; i++)
		pattern[i] = __VERIFIER_nondet_char();
	for (i = 0; i < 2; i++)
		text[i] = __VERIFIER_nondet_char();
	pattern[3] = 0;
	text[2] = 0;
	answer = stringmatchlen(pattern, 3, text, 2, 0);
	assert(answer == 0 || answer == 1);
	if (plain(pattern[0]) && plain(pattern[1]) && plain(pattern[2]))
		assert(!answer);
	if (pattern[0] == '*' && pattern[1] == '?' && pattern[2] == '?')
		assert(answer);
	if (pattern[0] == text[0] && plain(pattern[0]) && pattern[1] == '[' && pattern[2] == '^')
		assert(answer);
	return 0;
}
