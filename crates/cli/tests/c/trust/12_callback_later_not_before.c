// options: --callbacks later
// expect: SAFE
extern void reach_error(void);
extern void set_handler(void (*f)(void));
extern void poll_events(void);
static int hits;
static void hit(void) { hits = 1; }
int main(void) {
  poll_events();
  if (hits) reach_error();
  set_handler(hit);
  return 0;
}
