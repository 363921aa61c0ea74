// expect: SAFE
// without: abstraction (it would need a predicate for each of the texts)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/* The empty text may lie at the end of each of the others. */
static const char *const texts[] = {
    "t00", "t01", "t02", "t03", "t04", "t05", "t06", "t07", "t08", "t09", "t10", "t11",
    "t12", "t13", "t14", "t15", "t16", "t17", "t18", "t19", "t20", "t21", "t22", "t23"
};
static const char *first = "";
int main(void) {
    const char *empty = __VERIFIER_nondet_int() ? "" : first;
    if (empty == texts[3] + 3 && empty == texts[17] + 3) reach_error();
    if (empty == texts[3] + 2) reach_error();
    if (*empty) reach_error();
    return 0;
}
