// expect: UNSAFE
// options: --contracts forms.contracts --check bounds
// One byte too many.
extern void read_block(void *, unsigned long);

int main(void)
{
    unsigned char bytes[8];
    read_block(bytes, 9);
    return 0;
}
