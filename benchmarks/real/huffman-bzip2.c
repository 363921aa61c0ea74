/*
 * The code lengths of bzip2 for four symbols: a heap in an array, then a complete code in which what is more frequent is not longer.
 *
 * package: bzip2
 * cut: huffman.c from "#define WEIGHTOF(" to "#define MYMAX("
 * cut: huffman.c from "#define ADDWEIGHTS(" to "   (1 + MYMAX("
 * cut: huffman.c from "#define UPHEAP(" to "}"
 * cut: huffman.c from "#define DOWNHEAP(" to "}"
 * cut: huffman.c from "void BZ2_hbMakeCodeLengths (" to "}"
 * cut: huffman.c from "void BZ2_hbAssignCodes (" to "}"
 * text: 0072c72daf51ba66
 * bug: "weight [ BZ_MAX_ALPHA_SIZE * 2 ]" => "weight [ BZ_MAX_ALPHA_SIZE * 2 - 1 ]"
 * mutant: "if (yy < nHeap && " => "if (yy < nHeap - 1 && "
 * inputs: random
 */
#include "../verifier.h"

typedef int Int32;
typedef unsigned char UChar;
typedef unsigned char Bool;
#define True ((Bool)1)
#define False ((Bool)0)
#define AssertH(cond, errcode) assert(cond)
#define BZ_MAX_ALPHA_SIZE 4

#include "cut.h"

int main(void)
{
	Int32 freq[4], code[4], i, j, space = 0;
	UChar len[4];

	for (i = 0; i < 4; i++)
		freq[i] = __VERIFIER_nondet_uchar();
	BZ2_hbMakeCodeLengths(len, freq, 4, 17);
	for (i = 0; i < 4; i++) {
		assert(len[i] >= 1 && len[i] <= 3);
		space += 8 >> len[i];
	}
	assert(space == 8);
	for (i = 0; i < 4; i++)
		for (j = 0; j < 4; j++)
			assert(freq[i] <= freq[j] || freq[i] == 1 || len[i] <= len[j]);
	BZ2_hbAssignCodes(code, len, 1, 3, 4);
	for (i = 0; i < 4; i++) {
		assert(code[i] >= 0 && code[i] < 1 << len[i]);
		for (j = 0; j < i; j++)
			assert(len[i] != len[j] || code[i] != code[j]);
	}
	return 0;
}
