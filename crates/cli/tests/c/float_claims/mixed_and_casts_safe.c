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
    if (!(x==x)) return;
    CHECK(x==0.1f || x!=0.1);
}

static void claim1(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x==0.5f)) return;
    CHECK(x==0.5);
}

static void claim2(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>=0&&x<=1)) return;
    CHECK((double)x+1.0>=x+1.0f || (double)x+1.0<x+1.0f);
}

static void claim3(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>6e-8f && x<1)) return;
    CHECK(x+1.0f>1.0f);
}

static void claim4(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>=1.2e-7f && x<1)) return;
    CHECK(x+1.0f>1.0f);
}

static void claim5(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x>-2147483649.0 && x<2147483648.0)) return;
    CHECK((int)x>=-2147483647-1);
}

static void claim6(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x>=-1.0 && x<256)) return;
    CHECK((double)(int)x<=x || x<0);
}

static void claim7(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x>-1.0 && x<256)) return;
    CHECK((unsigned char)x>=x-1);
}

static void claim8(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>=-2147483648.0f && x<2147483648.0f)) return;
    CHECK((float)(int)x<=x || x<0);
}

static void claim9(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>=0 && x<2147483648.0f)) return;
    CHECK((int)x<=2147483520);
}

static void claim10(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x>=0 && x<4294967296.0)) return;
    CHECK((unsigned)x<=x);
}

static void claim11(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x>=0&&x<18446744073709551616.0)) return;
    CHECK((unsigned long)x<=18446744073709549568ul);
}

static void claim12(void) {
    double x = __VERIFIER_nondet_double();
    if (!(fabs(x)<1e6)) return;
    CHECK((int)x==-(int)-x);
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
    claim8();
    claim9();
    claim10();
    claim11();
    claim12();
    return 0;
}
