/*
 * Numbers of variable length as nanopb reads them from a stream, which is a structure with a function in it.
 *
 * package: nanopb
 * cut: pb_decode.c from "static bool checkreturn buf_read(" to "}" second
 * cut: pb_decode.c from "static bool checkreturn pb_readbyte(" to "}"
 * cut: pb_decode.c from "pb_istream_t pb_istream_from_buffer(" to "}"
 * cut: pb_decode.c from "static bool checkreturn pb_decode_varint32_eof(" to "}" second
 * cut: pb_decode.c from "bool checkreturn pb_decode_varint32(" to "}"
 * cut: pb_decode.c from "bool checkreturn pb_decode_varint(" to "}"
 * text: 90da1b1828049b19
 * bug: "if (bitpos >= 32)" => "if (bitpos > 35)"
 * mutant: "result |= (uint32_t)(byte & 0x0F) << bitpos;" => "result |= (uint32_t)(byte & 0x07) << bitpos;"
 * inputs: random
 * alphabet: \x80\x81\xff\x01\x0f\x7f
 */
#include "../verifier.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define checkreturn
#define PB_RETURN_ERROR(stream, msg) return (stream)->errmsg = (msg), false

typedef uint8_t pb_byte_t;
typedef struct pb_istream_s pb_istream_t;
struct pb_istream_s {
	bool (*callback)(pb_istream_t *stream, pb_byte_t *buf, size_t count);
	void *state;
	size_t bytes_left;
	const char *errmsg;
};

#include "cut.h"

int main(void)
{
	pb_byte_t data[7];
	pb_istream_t first, second;
	uint32_t small = 0;
	uint64_t large = 0;
	int i;

	for (i = 0; i < 7; i++)
		data[i] = __VERIFIER_nondet_uchar();
	first = pb_istream_from_buffer(data, 7);
	second = pb_istream_from_buffer(data, 7);
	if (!pb_decode_varint(&second, &large))
		return 0;
	if (pb_decode_varint32(&first, &small)) {
		assert(first.bytes_left == second.bytes_left);
		if (large <= 0xffffffffu)
			assert(small == large);
	} else {
		assert(large > 0xffffffffu);
	}
	return 0;
}
