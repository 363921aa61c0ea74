// expect: SAFE
// options: --engine abstraction --no-invgen --predicates pldi01_qsort.preds
//
// PLDI01, table 2, `qsort`: quicksort of an array, reconstructed. The bounds of the indices are tracked; they prove that none
// of the written checks fails. (That every access lies inside the array is `--check bounds`, which takes all engines.)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 100

static int a[N];

static void swap(int i, int j) {
    if (i < 0 || i >= N) reach_error();
    if (j < 0 || j >= N) reach_error();
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
}

static void sort(int lo, int hi) {
    int i, last;
    if (lo < 0 || hi >= N || lo >= hi) return;
    last = lo;
    for (i = lo + 1; i <= hi; i++) {
        if (i < 0 || i >= N) reach_error();
        if (a[i] < a[lo]) {
            last = last + 1;
            if (last > i) return;
            swap(last, i);
        }
    }
    swap(lo, last);
    sort(lo, last - 1);
    sort(last + 1, hi);
}

int main(void) {
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    sort(0, N - 1);
    return 0;
}
