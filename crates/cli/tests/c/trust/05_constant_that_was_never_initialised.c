// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
void take(const int *);
int main(void) {
  const int k;
  take(&k);
  if (k == 5) reach_error();
  return 0;
}
