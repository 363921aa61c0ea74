/*
 * The hash table of giflib, 8192 words: what was put in is found, and nothing else.
 *
 * package: giflib
 * cut: gif_hash.h from "#define HT_SIZE" to "#define HT_MAX_CODE"
 * cut: gif_hash.h from "#define HT_GET_KEY" to "#define HT_PUT_CODE"
 * cut: gif_hash.h from "typedef struct GifHashTableType {" to "} GifHashTableType;"
 * cut: gif_hash.c from "static int KeyItem(" to "static int KeyItem("
 * cut: gif_hash.c from "void _ClearHashTable(" to "}"
 * cut: gif_hash.c from "GifHashTableType *_InitHashTable(" to "}"
 * cut: gif_hash.c from "void _InsertHashTable(" to "}"
 * cut: gif_hash.c from "int _ExistsHashTable(" to "}"
 * cut: gif_hash.c from "static int KeyItem(" to "}" second
 * text: 13fea1adf75368a0
 * bug: "((Item >> 12) ^ Item) & HT_KEY_MASK" => "((Item >> 12) ^ Item) & (2 * HT_KEY_MASK)"
 * mutant: "return HT_GET_CODE(HTable[HKey]);" => "return HT_GET_KEY(HTable[HKey]);"
 * inputs: random
 */
#include "../verifier.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"

static uint32_t any_key(void)
{
	uint32_t key = (uint32_t)(__VERIFIER_nondet_ushort() & 0xfff) << 8 | __VERIFIER_nondet_uchar();

	__VERIFIER_assume(key != 0xFFFFF);
	return key;
}

int main(void)
{
	GifHashTableType *table = _InitHashTable();
	uint32_t a = any_key(), b = any_key();

	if (!table)
		return 0;
	_InsertHashTable(table, a, 17);
	assert(_ExistsHashTable(table, a) == 17);
	if (a != b) {
		assert(_ExistsHashTable(table, b) == -1);
		_InsertHashTable(table, b, 4095);
		assert(_ExistsHashTable(table, b) == 4095);
		assert(_ExistsHashTable(table, a) == 17);
	}
	free(table);
	return 0;
}
