//! Where objects lie: names and bounds of the parts of the address space.

use crate::syntax::{Addresses, DataModel};

/// The size of a page.
const PAGE: u64 = 0x1000;

impl Addresses {
    /// All of them.
    pub const ALL: [Addresses; 3] = [Addresses::User, Addresses::Kernel, Addresses::Anywhere];

    /// The name in text forms and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Addresses::User => "user",
            Addresses::Kernel => "kernel",
            Addresses::Anywhere => "anywhere",
        }
    }

    /// The first address that a byte of an object can have, and the first one behind all objects. The end of an object is
    /// an address, too, so it never is the last one of the address space plus one.
    pub fn range(self, model: DataModel) -> (u64, u64) {
        let top = u64::MAX >> (64 - model.ptr_width());
        match (self, model) {
            (Addresses::User, DataModel::Lp64) => (PAGE, 1 << 47),
            (Addresses::User, DataModel::Ilp32) => (PAGE, top - 0xffff),
            (Addresses::Kernel, _) => (top / 2 + 1, top - (PAGE - 1)),
            (Addresses::Anywhere, _) => (1, top),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds() {
        let all = |model| Addresses::ALL.map(|a| a.range(model));
        assert_eq!(all(DataModel::Ilp32), [(0x1000, 0xffff_0000), (0x8000_0000, 0xffff_f000), (1, 0xffff_ffff)]);
        assert_eq!(all(DataModel::Lp64), [(0x1000, 0x8000_0000_0000), (1 << 63, 0xffff_ffff_ffff_f000), (1, u64::MAX)]);
    }
}
