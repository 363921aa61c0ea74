//! Floating-point circuits against the machine: binary32 and binary64, rounding to nearest even.

use super::floats::{float_against, float_operations};
use crate::float::{FloatKind, FloatOp, Format, Rounding};

/// What the machine says of an operation on patterns; what is not a number has the pattern that formats have for it.
pub fn by_hardware(op: FloatOp, args: &[u128]) -> Option<u128> {
    let to_int = matches!(op.kind, FloatKind::ToInt { .. });
    if op.rounding != if to_int { Rounding::Zero } else { Rounding::NearestEven } {
        return None;
    }
    match (op.kind, op.format) {
        (FloatKind::FromInt { width, signed }, f) if width <= 64 => {
            let n = args[0] as u64;
            let sign = ((n << (64 - width)) as i64) >> (64 - width);
            match f {
                Format::SINGLE => Some(single(if signed { sign as f32 } else { n as f32 })),
                Format::DOUBLE => Some(double(if signed { sign as f64 } else { n as f64 })),
                _ => None,
            }
        }
        (FloatKind::ToInt { width, signed }, Format::SINGLE | Format::DOUBLE) if width <= 64 => {
            let x = if op.format == Format::SINGLE {
                f64::from(f32::from_bits(args[0] as u32))
            } else {
                f64::from_bits(args[0] as u64)
            };
            let mask = u64::MAX >> (64 - width);
            // Elsewhere the result is the nearest integer, which the machine does not give in every width.
            let limit = 2f64.powi(width as i32 - i32::from(signed));
            let fits = x < limit && if signed { x >= -limit } else { x > -1.0 };
            let result = if signed { x as i64 as u64 } else { x as u64 };
            fits.then_some(u128::from(result & mask))
        }
        (_, Format::DOUBLE) => {
            on_doubles(op.kind, &[0, 1, 2].map(|i| f64::from_bits(args.get(i).map_or(0, |a| *a as u64))))
        }
        (_, Format::SINGLE) => {
            on_singles(op.kind, &[0, 1, 2].map(|i| f32::from_bits(args.get(i).map_or(0, |a| *a as u32))))
        }
        _ => None,
    }
}

fn single(x: f32) -> u128 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits().into() }
}

fn double(x: f64) -> u128 {
    if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits().into() }
}

fn on_doubles(kind: FloatKind, x: &[f64; 3]) -> Option<u128> {
    Some(double(match kind {
        FloatKind::Add => x[0] + x[1],
        FloatKind::Sub => x[0] - x[1],
        FloatKind::Mul => x[0] * x[1],
        FloatKind::Div => x[0] / x[1],
        FloatKind::Sqrt => x[0].sqrt(),
        FloatKind::Fma => x[0].mul_add(x[1], x[2]),
        FloatKind::Integral => x[0].round_ties_even(),
        FloatKind::Eq => return Some((x[0] == x[1]).into()),
        FloatKind::Lt => return Some((x[0] < x[1]).into()),
        FloatKind::Le => return Some((x[0] <= x[1]).into()),
        FloatKind::Convert { to: Format::SINGLE } => return Some(single(x[0] as f32)),
        _ => return None,
    }))
}

fn on_singles(kind: FloatKind, x: &[f32; 3]) -> Option<u128> {
    Some(single(match kind {
        FloatKind::Add => x[0] + x[1],
        FloatKind::Sub => x[0] - x[1],
        FloatKind::Mul => x[0] * x[1],
        FloatKind::Div => x[0] / x[1],
        FloatKind::Sqrt => x[0].sqrt(),
        FloatKind::Fma => x[0].mul_add(x[1], x[2]),
        FloatKind::Integral => x[0].round_ties_even(),
        FloatKind::Eq => return Some((x[0] == x[1]).into()),
        FloatKind::Lt => return Some((x[0] < x[1]).into()),
        FloatKind::Le => return Some((x[0] <= x[1]).into()),
        FloatKind::Convert { to: Format::DOUBLE } => return Some(double(x[0].into())),
        _ => return None,
    }))
}

/// Every operation that the machine has, on `n` random lists of operands. Returns how many were compared.
pub fn float_hardware(seed: u64, n: u64) -> Result<u64, String> {
    let mut total = 0;
    for format in [Format::SINGLE, Format::DOUBLE] {
        let mut all = float_operations(format, Rounding::NearestEven, &[Format::SINGLE, Format::DOUBLE]);
        for op in &mut all {
            if matches!(op.kind, FloatKind::ToInt { .. }) {
                op.rounding = Rounding::Zero;
            }
        }
        for op in all.into_iter().filter(|&op| by_hardware(op, &[0; 3]).is_some()) {
            total += float_against(seed, op, n, &|args| by_hardware(op, args))?;
        }
    }
    Ok(total)
}
