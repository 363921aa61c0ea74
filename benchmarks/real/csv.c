/*
 * libcsv takes four characters apart, in two calls, with a buffer that grows by two bytes at a time.
 *
 * package: libcsv
 * cut: csv.h from "#define CSV_SUCCESS" to "#define CSV_EINVALID"
 * cut: csv.h from "#define CSV_STRICT 1" to "#define CSV_REPALL_NL"
 * cut: csv.h from "#define CSV_APPEND_NULL" to "#define CSV_APPEND_NULL"
 * cut: csv.h from "#define CSV_TAB" to "#define CSV_QUOTE"
 * cut: csv.h from "struct csv_parser {" to "};"
 * cut: libcsv.c from "#define ROW_NOT_BEGUN" to "#define FIELD_MIGHT_HAVE_ENDED"
 * cut: libcsv.c from "#define SUBMIT_FIELD(p)" to " } while (0)"
 * cut: libcsv.c from "#define SUBMIT_ROW(p, c)" to "  } while (0)"
 * cut: libcsv.c from "#define SUBMIT_CHAR(p, c)" to "#define SUBMIT_CHAR(p, c)"
 * cut: libcsv.c from "int" to "}" fourth
 * cut: libcsv.c from "static int" to "}"
 * cut: libcsv.c from "size_t" to "}" second
 * text: db849760876c9593
 * bug: "p->entry_size += to_add;" => "p->entry_size += 2 * to_add;"
 * mutant: "if (p->options & CSV_REPALL_NL) {" => "if (1) {"
 * inputs: all
 */
#include "../verifier.h"
#include <stdint.h>
#include <stdlib.h>

#define CSV_EMPTY_IS_NULL 16
#define MEM_BLK_SIZE 128

#include "cut.h"

struct seen {
	int fields;
	int rows;
	size_t letters;
};

static void on_field(void *field, size_t length, void *data)
{
	struct seen *seen = data;

	assert(((unsigned char *)field)[length] == 0);
	seen->fields++;
	seen->letters += length;
}

static void on_row(int c, void *data)
{
	struct seen *seen = data;

	assert(c == '\n' || c == '\r');
	seen->rows++;
}

int main(void)
{
	static const unsigned char alphabet[] = { 'a', ',', '"', ' ', '\n', 'b', '\r', '\t' };
	struct csv_parser parser;
	struct seen seen = { 0, 0, 0 };
	unsigned char text[4];
	unsigned int letters = __VERIFIER_nondet_ushort();
	int i;

	for (i = 0; i < 4; i++)
		text[i] = alphabet[letters >> 3 * i & 7];
	if (csv_init(&parser, CSV_APPEND_NULL))
		return 0;
	parser.blk_size = 2;
	assert(csv_parse(&parser, text, 2, on_field, on_row, &seen) == 2);
	assert(csv_parse(&parser, text + 2, 2, on_field, on_row, &seen) == 2);
	assert(seen.rows <= seen.fields && seen.fields <= 4 && seen.letters <= 4);
	if (text[0] == 'a' && text[1] == ' ' && text[2] == ',' && text[3] == '\n')
		assert(seen.fields == 2 && seen.rows == 1 && seen.letters == 1);
	free(parser.entry_buf);
	return 0;
}
