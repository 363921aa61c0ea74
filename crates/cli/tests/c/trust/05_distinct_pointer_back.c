// A list of one element may end in itself.
// options: --entry f --params distinct
// expect: UNSAFE
extern void reach_error(void);
struct node { struct node *next; int v; };
int f(struct node *n) {
  n->v = 1;
  if (n->next) n->next->v = 2;
  if (n->v == 2) reach_error();
  return 0;
}
