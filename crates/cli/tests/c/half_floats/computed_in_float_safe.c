// expect: SAFE
// As gcc computes `_Float16`: in `float`, rounded where it is stored, passed, returned or cast.
extern void reach_error(void);
static _Float16 passed(_Float16 x) { return x; }
static _Float16 returned(_Float16 a, _Float16 b) { return a + b; }
int main(void) {
    _Float16 c = 2048, d = 1, e;
    if (sizeof(c + d) != 2 || sizeof(1.1f16) != 2) reach_error();
    if ((c + d) - c != d || (int)(c + d) != 2049) reach_error();
    if ((_Float16)(c + d) - c == d || passed(c + d) - c == d || returned(c, d) - c == d) reach_error();
    e = c + d;
    if ((int)e != 2048 || e == c + d) reach_error();
    if ((float)(0, c + d) != 2049.0f || (float)(d ? c + d : 0) != 2049.0f || (float)-(c + d) != -2049.0f) reach_error();
    if ((float)((c + d) ?: d) != 2049.0f || (float)({ c + d; }) != 2048.0f) reach_error();
    if (!__builtin_isgreater(c + d, c) || !__builtin_isinf((_Float16)60000 + (_Float16)60000)) reach_error();
    if (1.1f16 == (_Float16)1.1f16 || 1.1f16 != 1.1f) reach_error();
    c += d;
    if (c != 2048) reach_error();
    c++;
    if (c != 2048) reach_error();
    c += d + d;
    if (c != 2050) reach_error();
    e = 65519;
    if (e != 65504.0f) reach_error();
    e = 65520.0;
    if (e != __builtin_inff()) reach_error();
    e = 0x1.002001p+0;
    if (e != 0x1.004p+0f) reach_error();
    e = 0x1p-24f;
    if (e == 0 || e / 2 == 0 || (_Float16)(e / 2) != 0) reach_error();
    _Static_assert((int)(1.1f16 * 10) == 11, "constant");
    _Static_assert((_Float16)2049 == 2048, "constant");
    return 0;
}
