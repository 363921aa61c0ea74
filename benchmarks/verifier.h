/* What the benchmarks take from outside, and how they say what must hold. */
#ifndef BENCHMARKS_VERIFIER_H
#define BENCHMARKS_VERIFIER_H

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

#endif
