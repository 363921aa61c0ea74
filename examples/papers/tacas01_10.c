// TACAS01, section 10: the shape of the driver that the paper measures, which is not printed: 350 lines in one function and 35
// predicates over variables in an order, so that all of them lie in one cone of influence. Generated.
//   hardbop abstract tacas01_10.c --predicates tacas01_10.preds --max-cube 3 -o tacas01_10.bp && hardbop bebop tacas01_10.bp
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int v0 = 0;
    int v1 = 1;
    int v2 = 2;
    int v3 = 3;
    int v4 = 4;
    int v5 = 5;
    int v6 = 6;
    int v7 = 7;
    int v8 = 8;
    int v9 = 9;
    int v10 = 10;
    int v11 = 11;
    while (__VERIFIER_nondet_int()) {
        if (v5 < v6) {
            v5 = v5 + 1;
        }
        v6 = 0;
        if (v1 <= v2) {
            v2 = v2 + 1;
        }
        if (v1 > 9) {
            v2 = v1;
        } else {
            v1 = 0;
        }
        if (v8 < v9) {
            v8 = v8 + 1;
        }
        v0 = v1;
        v7 = v6;
        if (v1 < v2) {
            v1 = v1 + 1;
        }
        if (v1 <= v2) {
            v2 = v2 + 1;
        }
        v6 = v7;
        v9 = v10;
        v3 = 9;
        if (v0 <= v1) {
            v1 = v1 + 1;
        }
        v10 = v9;
        if (v0 < v1) {
            v0 = v0 + 1;
        }
        if (v0 <= v1) {
            v1 = v1 + 1;
        }
        if (v2 > 6) {
            v3 = v2;
        } else {
            v2 = 1;
        }
        v8 = v9;
        if (v9 > 8) {
            v10 = v9;
        } else {
            v9 = 1;
        }
        if (v1 <= v2) {
            v2 = v2 + 1;
        }
        v9 = 3;
        v5 = v6;
        v8 = 1;
        v9 = v10;
        if (v9 < v10) {
            v9 = v9 + 1;
        }
        v7 = 8;
        if (v6 > 7) {
            v7 = v6;
        } else {
            v6 = 4;
        }
        if (v7 > 4) {
            v8 = v7;
        } else {
            v7 = 1;
        }
        v2 = 3;
        if (v1 <= v2) {
            v2 = v2 + 1;
        }
        if (v4 <= v5) {
            v5 = v5 + 1;
        }
        if (v7 > 7) {
            v8 = v7;
        } else {
            v7 = 2;
        }
        v9 = v10;
        if (v1 <= v2) {
            v2 = v2 + 1;
        }
        if (v6 < v7) {
            v6 = v6 + 1;
        }
        if (v5 < v6) {
            v5 = v5 + 1;
        }
        v8 = v7;
        v0 = 1;
        if (v8 <= v9) {
            v9 = v9 + 1;
        }
        if (v5 > 5) {
            v6 = v5;
        } else {
            v5 = 4;
        }
        if (v7 <= v8) {
            v8 = v8 + 1;
        }
        v7 = v8;
        if (v1 > 7) {
            v2 = v1;
        } else {
            v1 = 0;
        }
        v0 = 4;
        if (v10 <= v11) {
            v11 = v11 + 1;
        }
        v11 = v10;
        v4 = 6;
        if (v10 > 0) {
            v11 = v10;
        } else {
            v10 = 3;
        }
        if (v5 < v6) {
            v5 = v5 + 1;
        }
        v9 = v10;
        v7 = v8;
        if (v3 > 2) {
            v4 = v3;
        } else {
            v3 = 1;
        }
        v7 = v6;
        v7 = v8;
        v3 = v2;
        if (v6 <= v7) {
            v7 = v7 + 1;
        }
        if (v4 < v5) {
            v4 = v4 + 1;
        }
        if (v6 <= v7) {
            v7 = v7 + 1;
        }
        v4 = 6;
        v5 = 6;
        if (v3 < v4) {
            v3 = v3 + 1;
        }
        if (v1 < v2) {
            v1 = v1 + 1;
        }
        if (v2 < v3) {
            v2 = v2 + 1;
        }
        if (v10 < v11) {
            v10 = v10 + 1;
        }
        v1 = v0;
        if (v9 < v10) {
            v9 = v9 + 1;
        }
        if (v4 > 0) {
            v5 = v4;
        } else {
            v4 = 1;
        }
        if (v6 <= v7) {
            v7 = v7 + 1;
        }
        if (v5 <= v6) {
            v6 = v6 + 1;
        }
        if (v9 > 2) {
            v10 = v9;
        } else {
            v9 = 4;
        }
        v9 = 0;
        v7 = 8;
        v7 = v6;
        v7 = v6;
        v2 = v1;
        v11 = v10;
        if (v0 < v1) {
            v0 = v0 + 1;
        }
        if (v1 < v2) {
            v1 = v1 + 1;
        }
        if (v7 < v8) {
            v7 = v7 + 1;
        }
        if (v1 > 9) {
            v2 = v1;
        } else {
            v1 = 0;
        }
        v1 = v2;
        if (v9 < v10) {
            v9 = v9 + 1;
        }
        v8 = v9;
        if (v5 <= v6) {
            v6 = v6 + 1;
        }
        v0 = v1;
        if (v3 <= v4) {
            v4 = v4 + 1;
        }
        if (v6 < v7) {
            v6 = v6 + 1;
        }
        if (v10 > 5) {
            v11 = v10;
        } else {
            v10 = 4;
        }
        v6 = v5;
        v1 = v2;
        v8 = v7;
        v8 = v7;
        v4 = v5;
        v2 = v3;
        v5 = 4;
        v7 = 2;
        v8 = v9;
        if (v3 <= v4) {
            v4 = v4 + 1;
        }
        if (v5 < v6) {
            v5 = v5 + 1;
        }
        v8 = v9;
        if (v8 > 1) {
            v9 = v8;
        } else {
            v8 = 2;
        }
        if (v8 > 2) {
            v9 = v8;
        } else {
            v8 = 2;
        }
        if (v3 <= v4) {
            v4 = v4 + 1;
        }
        if (v8 <= v9) {
            v9 = v9 + 1;
        }
        v5 = 3;
        if (v9 < v10) {
            v9 = v9 + 1;
        }
        v4 = v3;
        if (v3 < v4) {
            v3 = v3 + 1;
        }
        v9 = v8;
        v5 = 0;
        if (v0 > 7) {
            v1 = v0;
        } else {
            v0 = 2;
        }
        v3 = 9;
        v6 = v5;
        if (v5 > 1) {
            v6 = v5;
        } else {
            v5 = 1;
        }
        if (v1 < v2) {
            v1 = v1 + 1;
        }
        if (v7 < v8) {
            v7 = v7 + 1;
        }
        if (v5 < v6) {
            v5 = v5 + 1;
        }
        if (v7 <= v8) {
            v8 = v8 + 1;
        }
        v9 = v10;
        v7 = 5;
        v10 = v11;
        v10 = v11;
        v6 = 3;
        if (v7 < v8) {
            v7 = v7 + 1;
        }
        v6 = 5;
        v1 = 6;
        v8 = v7;
        v1 = 2;
        if (v2 < v3) {
            v2 = v2 + 1;
        }
        if (v0 < v1) {
            v0 = v0 + 1;
        }
        v10 = v9;
        if (v10 < v11) {
            v10 = v10 + 1;
        }
        if (v9 <= v10) {
            v10 = v10 + 1;
        }
        v7 = 5;
        if (v2 <= v3) {
            v3 = v3 + 1;
        }
        if (v8 < v9) {
            v8 = v8 + 1;
        }
        v0 = v1;
        v10 = v11;
        v8 = 2;
        if (v6 < v7) {
            v6 = v6 + 1;
        }
        v3 = v4;
        if (v4 < v5) {
            v4 = v4 + 1;
        }
        if (v4 <= v5) {
            v5 = v5 + 1;
        }
    }
    if (v0 < v1 && v0 == v1) {
        reach_error();
    }
    return 0;
}
