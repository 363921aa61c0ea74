// expect: SAFE
// without: abstraction, which looks at one claim after the other
// Claims that gcc's program keeps on a million operands.
#include <math.h>
#include <string.h>
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static void claim0(void) {
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    if (!(x>0&&y>0)) return;
    unsigned m,k; memcpy(&m,&x,4); memcpy(&k,&y,4);
    CHECK((x<y)==(m<k));
}

static void claim1(void) {
    float x = __VERIFIER_nondet_float();
    unsigned m; memcpy(&m,&x,4);
    CHECK(((m&0x7fffffffu)>0x7f800000u)==(x!=x));
}

static void claim2(void) {
    double x = __VERIFIER_nondet_double();
    unsigned long m; memcpy(&m,&x,8);
    CHECK((((m>>52)&0x7ff)==0x7ff)==(x-x!=0));
}

static void claim3(void) {
    double x = __VERIFIER_nondet_double();
    CHECK(isnan(x)+isinf(x)*isinf(x)+(fpclassify(x)==FP_ZERO)+(fpclassify(x)==FP_SUBNORMAL)+!!isnormal(x)==1);
}

static void claim4(void) {
    unsigned m = __VERIFIER_nondet_uint();
    if (!((m&0x7f800000u)!=0x7f800000u)) return;
    float x; memcpy(&x,&m,4); float y=x; unsigned k; memcpy(&k,&y,4);
    CHECK(k==m);
}

static void claim5(void) {
    unsigned m = __VERIFIER_nondet_uint();
    if (!((m&0x7f800000u)!=0x7f800000u)) return;
    float x; memcpy(&x,&m,4); double d=x; float y=d; unsigned k; memcpy(&k,&y,4);
    CHECK(k==m);
}

static void claim6(void) {
    unsigned m = __VERIFIER_nondet_uint();
    if (!((m&0x7f800000u)!=0x7f800000u && (m&0x7f800000u))) return;
    float x; memcpy(&x,&m,4); float y=x*2; unsigned k; memcpy(&k,&y,4);
    CHECK(k==m+0x800000u || (m&0x7f800000u)>=0x7f000000u);
}

static void claim7(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>=1&&x<=2)) return;
    CHECK(x*x-x*x==0);
}

int main(void) {
    claim0();
    claim1();
    claim2();
    claim3();
    claim4();
    claim5();
    claim6();
    claim7();
    return 0;
}
