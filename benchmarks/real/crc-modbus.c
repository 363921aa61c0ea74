/*
 * The checksum of libmodbus by two tables: a message with its checksum behind it has the checksum 0.
 *
 * package: libmodbus
 * cut: src/modbus-rtu.c from "static const uint8_t table_crc_hi[]" to "};"
 * cut: src/modbus-rtu.c from "static const uint8_t table_crc_lo[]" to "};"
 * cut: src/modbus-rtu.c from "static uint16_t crc16(" to "}"
 * text: 4f7a1a7b4bb87cf9
 * bug: "i = crc_hi ^ *buffer++;" => "i = crc_hi + *buffer++;"
 * mutant: "crc_hi = crc_lo ^ table_crc_hi[i];" => "crc_hi = table_crc_hi[i];"
 * inputs: random
 */
#include "../verifier.h"
#include <stdint.h>

#include "cut.h"

int main(void)
{
	uint8_t message[4];
	uint16_t crc;

	message[0] = __VERIFIER_nondet_uchar();
	message[1] = __VERIFIER_nondet_uchar();
	crc = crc16(message, 2);
	message[2] = crc >> 8;
	message[3] = crc & 0xff;
	assert(crc16(message, 4) == 0);
	return 0;
}
