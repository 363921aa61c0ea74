//! The linear equalities that all of a set of points satisfy: `c1*x1 + … + cn*xn == c0` with integer coefficients.
//!
//! The points are numbers that programs computed modulo 2^w; an equality over the integers that holds of small points is
//! worth asking about modulo 2^w. Exact rational elimination over `i128`; a computation that overflows gives up.

/// `sum(coefficients[i] * x[i]) == constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Equality {
    /// One coefficient per column; at least one is not zero, they have no common divisor, the first that is not zero is
    /// positive.
    pub(crate) coefficients: Vec<i128>,
    /// The right side.
    pub(crate) constant: i128,
}

/// A basis of the equalities that all `points` satisfy, those with few variables first. Columns are the coordinates.
pub(crate) fn equalities(points: &[Vec<i128>]) -> Vec<Equality> {
    let Some(first) = points.first() else { return Vec::new() };
    let n = first.len();
    // Equalities are the vectors orthogonal to all (x, 1): the null space of the matrix of points. Eliminate its rows.
    let mut rows: Vec<Vec<i128>> = Vec::new();
    let mut pivots: Vec<usize> = Vec::new();
    for point in points {
        let mut row: Vec<i128> = point.iter().copied().chain([1]).collect();
        for (r, &p) in rows.iter().zip(&pivots) {
            if eliminate(&mut row, r, p).is_none() {
                return Vec::new();
            }
        }
        // The constant column is the last choice for a pivot.
        let Some(pivot) = (0..=n).find(|&i| row[i] != 0) else { continue };
        for (r, _) in rows.iter_mut().zip(&pivots) {
            if eliminate(r, &row, pivot).is_none() {
                return Vec::new();
            }
        }
        rows.push(row);
        pivots.push(pivot);
    }
    let mut found: Vec<Equality> = (0..=n)
        .filter(|column| !pivots.contains(column))
        .filter_map(|free| null_vector(&rows, &pivots, n, free))
        .filter_map(|v| normal(&v))
        .collect();
    found.sort_by_key(|e| e.coefficients.iter().filter(|&&c| c != 0).count());
    found
}

/// Makes `row[pivot]` zero by subtracting a multiple of `by`, and divides by the common divisor.
fn eliminate(row: &mut [i128], by: &[i128], pivot: usize) -> Option<()> {
    if row[pivot] == 0 {
        return Some(());
    }
    let (a, b) = (row[pivot], by[pivot]);
    let g = gcd(a, b);
    let (a, b) = (a / g, b / g);
    for (x, y) in row.iter_mut().zip(by) {
        *x = x.checked_mul(b)?.checked_sub(y.checked_mul(a)?)?;
    }
    divide(row);
    Some(())
}

fn divide(row: &mut [i128]) {
    let g = row.iter().fold(0, |g, &x| gcd(g, x));
    if g > 1 {
        row.iter_mut().for_each(|x| *x /= g);
    }
}

/// The vector of the null space that is 1 (before scaling) at column `free` and 0 at the other free columns.
fn null_vector(rows: &[Vec<i128>], pivots: &[usize], n: usize, free: usize) -> Option<Vec<i128>> {
    let mut scale: i128 = 1;
    for (row, &p) in rows.iter().zip(pivots) {
        if row[free] != 0 {
            let d = row[p] / gcd(row[p], row[free]);
            scale = scale.checked_mul(d / gcd(scale, d))?;
        }
    }
    let mut v = vec![0; n + 1];
    v[free] = scale;
    for (row, &p) in rows.iter().zip(pivots) {
        v[p] = -(scale.checked_mul(row[free])? / row[p]);
    }
    divide(&mut v);
    Some(v)
}

/// The equality of a null vector; none if it speaks of no variable.
fn normal(v: &[i128]) -> Option<Equality> {
    let (coefficients, constant) = v.split_at(v.len() - 1);
    let lead = *coefficients.iter().find(|&&c| c != 0)?;
    let sign = lead.signum();
    Some(Equality { coefficients: coefficients.iter().map(|c| c * sign).collect(), constant: -constant[0] * sign })
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i128
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::rng::Rng;

    #[test]
    fn finds_the_relation_of_a_counting_loop() {
        // i counts 1, j counts 2, k counts 3: k == i + j and j == 2 * i.
        let points: Vec<Vec<i128>> = (0..4).map(|t| vec![t, 2 * t, 3 * t]).collect();
        let found = equalities(&points);
        assert_eq!(found.len(), 2);
        for e in &found {
            for p in &points {
                assert_eq!(e.coefficients.iter().zip(p).map(|(c, x)| c * x).sum::<i128>(), e.constant);
            }
        }
    }

    #[test]
    fn a_single_point_fixes_every_coordinate() {
        let found = equalities(&[vec![3, -7]]);
        assert_eq!(found.len(), 2);
    }

    /// On random point sets: every equality holds of every point, and their number is the codimension.
    #[test]
    fn random_points() {
        let mut rng = Rng::new(7);
        for _ in 0..500 {
            let n = 1 + rng.index(5);
            let dim = rng.index(n + 1);
            let small = |rng: &mut Rng| i128::from(rng.below(11)) - 5;
            let origin: Vec<i128> = (0..n).map(|_| small(&mut rng)).collect();
            let directions: Vec<Vec<i128>> = (0..dim).map(|_| (0..n).map(|_| small(&mut rng)).collect()).collect();
            let points: Vec<Vec<i128>> = (0..12)
                .map(|_| {
                    let mut p = origin.clone();
                    for d in &directions {
                        let k = small(&mut rng);
                        p.iter_mut().zip(d).for_each(|(x, y)| *x += k * y);
                    }
                    p
                })
                .collect();
            let found = equalities(&points);
            assert!(found.len() >= n - dim, "{n} {dim} {}", found.len());
            for e in &found {
                assert!(e.coefficients.iter().any(|&c| c != 0));
                for p in &points {
                    assert_eq!(e.coefficients.iter().zip(p).map(|(c, x)| c * x).sum::<i128>(), e.constant);
                }
            }
        }
    }
}
