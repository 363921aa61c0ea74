// expect: SAFE
// options: --entry getUnit --externs pure --engine abstraction --no-invgen
//
// TR00, figure 1 (in language X there, in C here): is line [10] reachable? Two predicates decide it, and refinement finds
// exactly these: `numUnits == 0` and `canEnter`. `level` is never tracked. (Undefined functions leave the variables alone here.)
extern int numUnits, level;
extern void NewUnit(void), gotUnit(void), reach_error(void);

void getUnit(void) {
    _Bool canEnter = 0;              // [1]
    if (numUnits == 0) {             // [2]
        if (level > 10) {            // [3]
            NewUnit();               // [4]
            numUnits = 1;            // [5]
            canEnter = 1;            // [6]
        }
    } else
        canEnter = 1;                // [7]
    if (canEnter) {                  // [8]
        if (numUnits == 0)           // [9]
            reach_error();           // [10]
        else
            gotUnit();               // [11]
    }
}
