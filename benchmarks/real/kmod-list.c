/*
 * The circular list of kmod under four arbitrary operations.
 *
 * package: kmod
 * cut: libkmod/libkmod-list.c from "static inline struct list_node *list_node_init(" to "}"
 * cut: libkmod/libkmod-list.c from "static inline void list_node_append(" to "}"
 * cut: libkmod/libkmod-list.c from "static inline struct list_node *list_node_remove(" to "}"
 * cut: libkmod/libkmod-list.c from "static inline void list_node_insert_after(" to "}"
 * cut: libkmod/libkmod-list.c from "struct kmod_list *kmod_list_append(" to "}"
 * cut: libkmod/libkmod-list.c from "struct kmod_list *kmod_list_insert_after(" to "}"
 * cut: libkmod/libkmod-list.c from "struct kmod_list *kmod_list_prepend(" to "}"
 * cut: libkmod/libkmod-list.c from "struct kmod_list *kmod_list_remove(" to "}"
 * cut: libkmod/libkmod-list.c from "KMOD_EXPORT struct kmod_list *kmod_list_next(" to "}"
 * cut: libkmod/libkmod-list.c from "KMOD_EXPORT struct kmod_list *kmod_list_last(" to "}"
 * text: aa285ad229bcbf31
 * bug: "node->next->prev = node->prev;" => "node->next->prev = node;"
 * mutant: "return list ? list : new;" => "return new;"
 * inputs: random
 */
#include "../verifier.h"
#include <stddef.h>
#include <stdlib.h>

#define KMOD_EXPORT
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct list_node {
	struct list_node *next, *prev;
};

struct kmod_list {
	struct list_node node;
	void *data;
};

#include "cut.h"

int main(void)
{
	static int values[4];
	struct kmod_list *list = 0, *l, *before;
	int i, length = 0, count = 0;

	for (i = 0; i < 4; i++) {
		before = list;
		switch (__VERIFIER_nondet_uchar() % 4) {
		case 0:
			list = kmod_list_append(list, &values[i]);
			assert(list != 0 && kmod_list_last(list)->data == &values[i]);
			assert(before == 0 || list == before);
			length++;
			break;
		case 1:
			list = kmod_list_prepend(list, &values[i]);
			assert(list->data == &values[i]);
			length++;
			break;
		case 2:
			list = kmod_list_insert_after(list, &values[i]);
			length++;
			break;
		default:
			list = kmod_list_remove(list);
			if (length > 0)
				length--;
			break;
		}
	}
	assert((list == 0) == (length == 0));
	for (l = list; l != 0 && count < 5; l = kmod_list_next(list, l)) {
		assert(l->node.next->prev == &l->node);
		count++;
	}
	assert(count == length);
	while (list)
		list = kmod_list_remove(list);
	return 0;
}
