/*
 * c-ares expands the name in a message of five bytes, with references inside of the message.
 *
 * package: c-ares
 * cut: src/lib/ares_expand_name.c from "static int name_length(const" to "                       int alen"
 * cut: src/lib/ares_expand_name.c from "static int is_reservedch(" to "}"
 * cut: src/lib/ares_expand_name.c from "static int ares__isprint(" to "}"
 * cut: src/lib/ares_expand_name.c from "static int is_hostnamech(" to "}"
 * cut: src/lib/ares_expand_name.c from "int ares__expand_name_validated(" to "}"
 * cut: src/lib/ares_expand_name.c from "static int name_length(const" to "}" second
 * text: af8b939ef94df962
 * bug: "if (encoded + offset + 1 >= abuf + alen)" => "if (encoded + offset >= abuf + alen)"
 * mutant: "*q++ = '.';" => "*q++ = '-';"
 * inputs: random
 * alphabet: \x01\x02\x03\xc0ab.
 */
#include "../verifier.h"
#include <stdlib.h>
#include <string.h>

typedef long ares_ssize_t;
#define ares_malloc malloc
#define aresx_uztosl(n) ((long)(n))
#define INDIR_MASK 0xc0
#define MAX_INDIRS 50
#define ARES_SUCCESS 0
#define ARES_EBADNAME 8
#define ARES_ENOMEM 15

#include "cut.h"

int main(void)
{
	unsigned char message[5];
	char *name = 0;
	long length = 0;
	int i, status;

	for (i = 0; i < 5; i++)
		message[i] = __VERIFIER_nondet_uchar();
	status = ares__expand_name_validated(message, message, 5, &name, &length, 1);
	if (status != ARES_SUCCESS)
		return 0;
	assert(length >= 1 && length <= 5);
	i = 0;
	while (name[i]) {
		assert(is_hostnamech(name[i]));
		i++;
	}
	assert(i < 4);
	if (message[0] == 1 && message[2] == 1 && message[4] == 0)
		assert(i == 3 && name[1] == '.' && name[0] == (char)message[1] && length == 5);
	free(name);
	return 0;
}
