// expect: SAFE
// options: --contracts forms.contracts
// As many bytes are written as an argument says.
extern void reach_error(void);
extern void read_block(void *, unsigned long);

int main(void)
{
    unsigned char bytes[8] = { 0 };
    read_block(bytes, 5);
    if (bytes[5] || bytes[6] || bytes[7])
        reach_error();
    return 0;
}
