// expect: SAFE
// options: --entry f --params tree
// Pointers that are only compared lead to objects of their own, too, also one in a global.
extern void reach_error(void);
struct node { struct node *next; void *data; };
struct node *list;
int f(struct node *n) {
  if (list == n || n->next == n) reach_error();
  if (n->data && n->data == (void *)n->next) reach_error();
  return 0;
}
