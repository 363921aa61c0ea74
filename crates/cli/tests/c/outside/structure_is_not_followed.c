// How structures are given is not known.
// expect: UNKNOWN
// reason: a call through a pointer to a function that is not known
extern void reach_error(void);
struct pair { int a, b; };
extern struct pair (*make)(int);
int main(void) {
  int n = 1;
  if (make) { struct pair p = make(2); n = p.a; }
  if (n == 4) reach_error();
  return 0;
}
