/*
 * The balanced tree of musl: four keys go in, each is found, and the height is what balance asks for.
 *
 * package: musl
 * cut: src/search/tsearch.h from "#define MAXH" to "};"
 * cut: src/search/tsearch.c from "static inline int height(" to "static inline int height("
 * cut: src/search/tsearch.c from "static int rot(" to "}"
 * cut: src/search/tsearch.c from "int __tsearch_balance(" to "}"
 * cut: src/search/tsearch.c from "void *tsearch(" to "}"
 * cut: src/search/tfind.c from "void *tfind(" to "}"
 * text: 103649f7241d4440
 * bug: "return rot(p, n, h0<h1);" => "return rot(p, n, h0>h1);"
 * mutant: "z->h = hz+1;" => "z->h = hz+2;"
 * inputs: random
 * alphabet: \x01\x02\x03\x04
 */
#include "../verifier.h"
#include <stdlib.h>

#include "cut.h"

static int compare(const void *a, const void *b)
{
	unsigned char x = *(const unsigned char *)a, y = *(const unsigned char *)b;

	return x < y ? -1 : x > y;
}

int main(void)
{
	unsigned char keys[4];
	void *root = 0;
	struct node *found;
	int i, j, distinct = 0;

	for (i = 0; i < 4; i++) {
		keys[i] = __VERIFIER_nondet_uchar();
		for (j = 0; j < i && keys[j] != keys[i]; j++)
			;
		distinct += j == i;
		found = tsearch(&keys[i], &root, compare);
		assert(found && *(const unsigned char *)found->key == keys[i]);
	}
	for (i = 0; i < 4; i++) {
		found = tfind(&keys[i], &root, compare);
		assert(found && *(const unsigned char *)found->key == keys[i]);
	}
	assert(((struct node *)root)->h == (distinct == 1 ? 1 : distinct == 4 ? 3 : 2));
	return 0;
}
