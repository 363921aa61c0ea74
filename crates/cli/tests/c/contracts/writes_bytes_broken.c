// expect: UNSAFE
// options: --contracts forms.contracts
// The last of them is one.
extern void reach_error(void);
extern void read_block(void *, unsigned long);

int main(void)
{
    unsigned char bytes[8] = { 0 };
    read_block(bytes, 5);
    if (bytes[4] == 7)
        reach_error();
    return 0;
}
