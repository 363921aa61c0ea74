// What an iterator gives comes back as its argument, and the outside follows the list.
// expect: UNSAFE
// unknown: abstraction (the analysis of pointers knows no order: the path without the call-back looks feasible, and cannot be replayed)
extern void reach_error(void);
struct node { struct node *next; int v; };
extern void each(struct node *(*next)(struct node *));
static struct node a, b = {&a, 1};
static struct node *next(struct node *p) { return p ? p->next : &b; }
int main(void) {
  each(next);
  if (a.v == 3) reach_error();
  return 0;
}
