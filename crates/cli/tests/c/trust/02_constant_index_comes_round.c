// expect: UNSAFE
// options: --check bounds
int a[4];

int main(void)
{
    return a[0x4000000000000001];
}
