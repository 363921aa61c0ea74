// expect: UNSAFE
// options: --check pointer
int a[4];

int main(void)
{
    int *p = a + 0x4000000000000000L;

    return p != 0;
}
