/*
 * musl compares texts with numbers in them: the other way round it says the opposite.
 *
 * package: musl
 * cut: src/string/strverscmp.c from "int strverscmp(" to "}"
 * text: 4a259b9571fb01d1
 * bug: "if (!c) return 0;" => "if (!c && z) return 0;"
 * mutant: "if (!isdigit(r[j])) return 1;" => "if (!isdigit(r[j])) return -1;"
 * inputs: random
 * alphabet: 0012a.
 */
#include "../verifier.h"
#include <stddef.h>

#define isdigit(c) ((unsigned)(c) - '0' < 10)
#define strverscmp musl_strverscmp

#include "cut.h"

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

int main(void)
{
	char a[4], b[4];
	int i, forth, back;

	for (i = 0; i < 3; i++) {
		a[i] = __VERIFIER_nondet_char();
		b[i] = __VERIFIER_nondet_char();
	}
	a[3] = b[3] = 0;
	forth = strverscmp(a, b);
	back = strverscmp(b, a);
	assert(sign(forth) == -sign(back));
	assert(strverscmp(a, a) == 0);
	if (a[0] == '1' && a[1] == '0' && a[2] == 0 && b[0] == '9' && b[1] == 0)
		assert(forth > 0);
	return 0;
}
