// options: --callbacks later
// expect: UNSAFE
extern void reach_error(void);
extern void set_handler(void (*f)(void));
extern void poll_events(void);
static int hits, armed;
static void hit(void) { if (armed) hits = 1; }
int main(void) {
  set_handler(hit);
  armed = 1;
  poll_events();
  if (hits) reach_error();
  return 0;
}
