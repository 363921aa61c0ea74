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
    CHECK(x==x || !(x<1.0f));
}

static void claim1(void) {
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    if (!(x==x && y==y)) return;
    CHECK((x<y) || (x>y) || (x==y));
}

static void claim2(void) {
    double x = __VERIFIER_nondet_double();
    CHECK(!(x!=x) || !(x-x==0));
}

static void claim3(void) {
    double x = __VERIFIER_nondet_double();
    CHECK(x-x==0 || x!=x || x*0!=x*0);
}

static void claim4(void) {
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    CHECK(!(x<y) || !(y<x));
}

static void claim5(void) {
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    if (!(x<y)) return;
    CHECK(y-x>0);
}

static void claim6(void) {
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    if (!(x<y)) return;
    CHECK(y-x>0);
}

static void claim7(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x==0)) return;
    CHECK(1/x>0 || 1/x<0);
}

static void claim8(void) {
    double x = __VERIFIER_nondet_double();
    CHECK(x+0.0==x || x!=x);
}

static void claim9(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x==0.0f)) return;
    float z=x+0.0f; unsigned m; memcpy(&m,&z,4);
    CHECK(m==0u);
}

static void claim10(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x==0.0f)) return;
    float z=x*x; unsigned m; memcpy(&m,&z,4);
    CHECK(m==0u);
}

static void claim11(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x==x && x<1e30f && x>-1e30f)) return;
    float z=x-x; unsigned m; memcpy(&m,&z,4);
    CHECK(m==0u);
}

static void claim12(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x==x)) return;
    float z=-x; unsigned m,k; memcpy(&m,&z,4); memcpy(&k,&x,4);
    CHECK((m==(k^0x80000000u)));
}

static void claim13(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x==x)) return;
    CHECK(fabs(x)>=0 && (fabs(x)==x || fabs(x)==-x));
}

static void claim14(void) {
    double x = __VERIFIER_nondet_double();
    CHECK(!signbit(fabs(x)));
}

static void claim15(void) {
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    CHECK(signbit(copysign(x,y))==signbit(y) || !signbit(x)==!signbit(y) || 1/copysign(1.0,y)!=0);
}

static void claim16(void) {
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    CHECK(!signbit(copysign(x,y))==!signbit(y));
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
    claim13();
    claim14();
    claim15();
    claim16();
    return 0;
}
