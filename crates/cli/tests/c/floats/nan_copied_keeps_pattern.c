// expect: SAFE
// Copies keep the pattern of what is not a number, here one that no operation gave.
extern void reach_error(void);
extern unsigned input(void);
union {
  float f;
  unsigned u;
} from, to;

int main(void) {
  from.u = 0x7fc00000u | (input() & 0x803fffffu) | 1;
  float f = from.f;
  to.f = f;
  if (to.u != from.u)
    reach_error();
  return 0;
}
