// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
void take(const volatile int *);
int main(void) {
  const volatile int k = 1;
  take(&k);
  if (k == 5) reach_error();
  return 0;
}
