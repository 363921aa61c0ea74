// expect: SAFE
// options: --contracts forms.contracts --check bounds
// Where accesses are checked, what is written has to lie in its object.
extern void read_block(void *, unsigned long);

int main(void)
{
    unsigned char bytes[8];
    read_block(bytes, 8);
    return 0;
}
