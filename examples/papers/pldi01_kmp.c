// expect: SAFE
// options: --engine abstraction --no-invgen --predicates pldi01_kmp.preds
//
// PLDI01, table 2, `kmp`: the string matcher of Knuth, Morris and Pratt, reconstructed. The predicates are the bounds of the
// two indices; they prove that none of the written checks fails.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define PATTERN 8
#define TEXT 64

static int pattern[PATTERN], text[TEXT], fail[PATTERN];


/* How far a mismatch at each place of the pattern falls back. */
static void prepare(void) {
    int i = 1, k = 0;
    fail[0] = 0;
    while (i < PATTERN) {
        if (!(0 <= i && i < PATTERN)) reach_error();
        if (!(0 <= k && k < PATTERN)) reach_error();
        if (pattern[i] == pattern[k]) {
            fail[i] = k + 1;
            i = i + 1;
            k = k + 1;
            if (k >= PATTERN) k = 0;
        } else if (k > 0) {
            k = fail[k - 1];
            if (k < 0 || k >= PATTERN) k = 0;
        } else {
            fail[i] = 0;
            i = i + 1;
        }
    }
}

static int match(void) {
    int i = 0, k = 0;
    while (i < TEXT && k < PATTERN) {
        if (!(0 <= i && i < TEXT)) reach_error();
        if (!(0 <= k && k < PATTERN)) reach_error();
        if (text[i] == pattern[k]) {
            i = i + 1;
            k = k + 1;
        } else if (k > 0) {
            k = fail[k - 1];
            if (k < 0 || k >= PATTERN) k = 0;
        } else {
            i = i + 1;
        }
    }
    return k == PATTERN ? i - k : -1;
}

int main(void) {
    for (int i = 0; i < PATTERN; i++) pattern[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < TEXT; i++) text[i] = __VERIFIER_nondet_int();
    prepare();
    match();
    return 0;
}
