// `index` searches a text for a character; this is another function.
// expect: UNSAFE
extern void reach_error(void);
extern int *index(int *table, int i);
int main(void) {
  int t[2] = {0, 0};
  index(t, 1);
  if (t[1] == 5) reach_error();
  return 0;
}
