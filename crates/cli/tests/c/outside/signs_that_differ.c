// A function of the program that would fit but for a sign is not taken for one of the outside.
// expect: UNKNOWN
// options: --callbacks none
// reason: a call through a pointer to a function that is not known
extern void reach_error(void);
extern void give(int (*)(unsigned));
extern int (*hook)(int);
static int state;
static int mine(unsigned x) { state = 1; return x; }
int main(void) {
  give(mine);
  state = 0;
  if (hook) hook(1);
  if (state == 1) reach_error();
  return 0;
}
