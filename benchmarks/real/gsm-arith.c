/*
 * The arithmetic of the GSM codec: saturating sums, normalisation by a table, division bit by bit.
 *
 * package: libgsm
 * cut: src/add.c from "#define\tsaturate(x)" to "\t((x) < MIN_WORD"
 * cut: src/add.c from "word gsm_add" to "}"
 * cut: src/add.c from "word gsm_sub" to "}"
 * cut: src/add.c from "word gsm_abs" to "}"
 * cut: src/add.c from "static unsigned char const bitoff" to "};"
 * cut: src/add.c from "word gsm_norm" to "}"
 * cut: src/add.c from "word gsm_div" to "}"
 * text: 6e10bd5e12d86c8e
 * bug: "-1 + bitoff[ 0xFF & (a >> 24) ]" => "-1 + bitoff[ 0x1FF & (a >> 23) ]"
 * mutant: "L_num -= L_denum;" => "L_num -= L_denum - 1;"
 * inputs: random
 */
#include "../verifier.h"

typedef short word;
typedef long longword;
#define MIN_WORD (-32767 - 1)
#define MAX_WORD 32767
#define P1(names, a) (a)
#define P2(names, a, b) (a, b)

#include "cut.h"

int main(void)
{
	word a = (word)__VERIFIER_nondet_ushort(), b = (word)__VERIFIER_nondet_ushort();
	longword whole = (longword)a * 65536 + (b & 0xffff), sum = (longword)a + b, normal;
	word q;

	assert(gsm_add(a, b) == (sum > MAX_WORD ? MAX_WORD : sum < MIN_WORD ? MIN_WORD : sum));
	assert(gsm_abs(gsm_sub(a, b)) == gsm_abs(gsm_sub(b, a)) || gsm_sub(a, b) == MIN_WORD || gsm_sub(b, a) == MIN_WORD);
	if (whole > 0) {
		normal = whole << gsm_norm(whole);
		assert(normal >= 1073741824 && normal <= 2147483647);
	}
	if (a > 0 && b >= a && a < 64) {
		q = gsm_div(a, b);
		assert((longword)q * b <= (longword)a * 32768);
		assert((longword)q * b + b > (longword)a * 32768 || q == MAX_WORD);
	}
	return 0;
}
