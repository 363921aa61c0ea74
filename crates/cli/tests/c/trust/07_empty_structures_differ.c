// expect: UNSAFE
extern void reach_error(void);
static int none[0];
static int some[2];
int main(void) {
  if (none != some) reach_error();
  return 0;
}
