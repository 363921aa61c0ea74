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
    double x = __VERIFIER_nondet_double();
    if (!(x>=4.5e-308)) return;
    CHECK(x/2>0 && x/2*2==x || x>1e308);
}

static void claim1(void) {
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    if (!(x>0&&y>0)) return;
    CHECK(x+y>x || x>1e-30f || x+y>=x);
}

static void claim2(void) {
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    if (!(x!=y && x==x && y==y && fabs(x)<1e300 && fabs(y)<1e300)) return;
    CHECK(x-y!=0);
}

static void claim3(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x>0 && x<1e-38f)) return;
    CHECK((double)x>0 && (float)((double)x)==x);
}

static void claim4(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x>0 && x<1e-45)) return;
    CHECK((float)x==0 || (float)x==1.401298464324817e-45f);
}

static void claim5(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n>=0)) return;
    CHECK((int)(float)n==n || n>16777216);
}

static void claim6(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n>=0 && n<=16777216)) return;
    CHECK((int)(float)n==n);
}

static void claim7(void) {
    long n = __VERIFIER_nondet_long();
    if (!(n>=0 && n<=9007199254740992)) return;
    CHECK((long)(double)n==n);
}

static void claim8(void) {
    long n = __VERIFIER_nondet_long();
    if (!(n>9007199254740992 && n<9007199254740999)) return;
    CHECK((double)n<=9007199254740998.0);
}

static void claim9(void) {
    unsigned u = __VERIFIER_nondet_uint();
    CHECK((unsigned)(double)u==u);
}

static void claim10(void) {
    unsigned u = __VERIFIER_nondet_uint();
    if (!(u<4294967040u)) return;
    CHECK((float)u<=4294967040.0f);
}

static void claim11(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n==16777217)) return;
    CHECK((float)n==n);
}

static void claim12(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n==16777217)) return;
    CHECK((float)n==16777216);
}

static void claim13(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n==16777217)) return;
    CHECK((double)(float)n!=(double)n);
}

static void claim14(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n>16777216 && n<16777220)) return;
    CHECK((float)n==(float)(n+1) || (float)n<(float)(n+1));
}

static void claim15(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n>33554432 && n<33554440)) return;
    CHECK(((int)(float)n)%4==0);
}

static void claim16(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n>16777216 && n<33554432)) return;
    CHECK(((int)(float)n)%2==0);
}

static void claim17(void) {
    int n = __VERIFIER_nondet_int();
    if (!(n>16777216 && n<33554432)) return;
    CHECK(((int)(float)n)-n<=1 && n-((int)(float)n)<=1);
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
    claim17();
    return 0;
}
