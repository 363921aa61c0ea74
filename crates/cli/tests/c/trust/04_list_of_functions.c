// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
struct node { struct node *next; void (*f)(int); };
static int s;
static void set(int v) { s = v; }
static struct node a = {0, set}, b = {&a, 0};
struct node *head = &b;
int main(void) {
  s = 1;
  nd();
  if (s == 5) reach_error();
  return 0;
}
