// expect: UNSAFE
// options: --entry f --params tree
// A pointer that is compared but never followed need not be null.
extern void reach_error(void);
struct node { struct node *next; void *data; };
int f(struct node *n) {
  struct node *second = n->next;
  if (second && second->next && second->data) reach_error();
  return 0;
}
