//! Limits of time, processor time and memory, and how they are written.

use crate::settings::Limits;
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub(crate) struct LimitArgs {
    /// Time limit: 60, 60s, 2m, 500ms. The default is 60s; with --cpu-time it is ten times that, but at least 60s.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    timeout: Option<Duration>,
    /// Limit on the processor time of the analysis, without that of the C preprocessor: the same on a busy machine as on an idle one.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    cpu_time: Option<Duration>,
    /// Memory limit: 4G, 512M, 65536K.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_size)]
    memory: u64,
}

/// The time limit where none is given.
const USUAL: Duration = Duration::from_secs(60);

/// The limits that are meant.
pub(crate) fn lower(args: &LimitArgs) -> Limits {
    let usual = || args.cpu_time.map_or(USUAL, |cpu| cpu.saturating_mul(10).max(USUAL));
    Limits { timeout: args.timeout.unwrap_or_else(usual), cpu: args.cpu_time, memory: args.memory }
}

/// `60`, `60s`, `2m`, `1h`, `500ms`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let ms_per_unit = match unit {
        "ms" => 1,
        "" | "s" => 1000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => return Err("expected a time such as 60, 60s, 2m, 1h or 500ms".into()),
    };
    let ms = number.parse::<u64>().ok().and_then(|n| n.checked_mul(ms_per_unit)).ok_or("the time is not a number")?;
    // A century fits every clock; more could overflow one.
    match ms {
        0 => Err("a time limit of zero leaves no time".into()),
        1..=3_155_760_000_000 => Ok(Duration::from_millis(ms)),
        _ => Err("the time is longer than a century".into()),
    }
}

/// `4G`, `512M`, `65536K`, plain bytes.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit {
        "" => 0,
        "K" | "k" | "KB" | "KiB" => 10,
        "M" | "m" | "MB" | "MiB" => 20,
        "G" | "g" | "GB" | "GiB" => 30,
        _ => return Err("expected a size such as 4G, 512M or 65536K".into()),
    };
    let bytes = number.parse::<u64>().ok().and_then(|n| n.checked_mul(1 << shift)).ok_or("the size is not a number")?;
    match bytes {
        0..0x10_0000 => Err("less than 1M of memory is not enough to start".into()),
        0x10_0000..=0x0fff_ffff_ffff_ffff => Ok(bytes),
        _ => Err("the size is larger than any memory".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        for (text, ms) in [("60", 60_000), ("60s", 60_000), ("2m", 120_000), ("500ms", 500), ("1h", 3_600_000)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "0", "-1", "1.5s", "5 s", "10y", "99999999999999999999", "9999999999999999"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        for (text, bytes) in [("4G", 4 << 30), ("512M", 512 << 20), ("65536K", 64 << 20), ("1048576", 1 << 20)] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "0", "-1G", "1.5G", "4T", "99999999999999999999", "9999999999G", "1K"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_clock_on_the_wall_leaves_room_for_the_processor() {
        let of = |timeout: Option<u64>, cpu_time: Option<u64>| {
            let [timeout, cpu_time] = [timeout, cpu_time].map(|t| t.map(Duration::from_secs));
            lower(&LimitArgs { timeout, cpu_time, memory: 1 << 30 }).timeout.as_secs()
        };
        assert_eq!([of(None, None), of(Some(7), None), of(None, Some(3)), of(None, Some(30))], [60, 7, 60, 300]);
        assert_eq!(of(Some(7), Some(30)), 7);
    }
}
