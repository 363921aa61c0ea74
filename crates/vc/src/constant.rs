//! Memory that no function writes: its map is the same in all states, and has the contents with which its globals begin. Tables of
//! functions and of numbers are like that.
//!
//! That nothing writes a region is what the analysis of regions says, whose sets of modified regions `certify` checks; that a
//! global is declared constant plays no role.

use crate::step::Encoder;
use ir::{Expr, FloatTy, GlobalId, Init, InitItem, Ty};
use logic::Term;
use pointsto::{Object, RegionId, Width};

/// Of larger tables no contents are stated: queries stay small.
const MAX_ITEMS: usize = 32;

impl Encoder<'_> {
    /// The map of a region that nothing writes; `None` if something may.
    pub(crate) fn constant_map(&mut self, region: RegionId) -> Option<Term> {
        let analysis = self.analysis;
        if !analysis.is_constant(region) {
            return None;
        }
        if let Some(&map) = self.constant_maps.get(&region) {
            return Some(map);
        }
        let map = self.fresh_map(region);
        self.constant_maps.insert(region, map);
        for &object in &analysis.regions.all[region].objects {
            if let Object::Global(g) = object {
                self.tell_contents(g, region, map);
            }
        }
        Some(map)
    }

    /// What a global begins with, word by word, as axioms of the region's map.
    fn tell_contents(&mut self, g: GlobalId, region: RegionId, map: Term) {
        let analysis = self.analysis;
        let (Width::Word(size), Init::Values(items)) =
            (analysis.regions.all[region].width, &self.program.globals[g].init)
        else {
            return;
        };
        let here = |item: &&InitItem| {
            let at = [(Object::Global(g), pointsto::Offsets::exactly(item.offset as i64))];
            let touched = analysis.regions.of_range(&at.into(), Some(item.value.ty.size(self.program.model)));
            touched.contains(&region)
        };
        let items: Vec<&InitItem> = items.iter().filter(here).collect();
        let whole = |i: &InitItem| i.bits.is_none() && i.value.ty.size(self.program.model) == size && fills(i.value.ty);
        let disjoint = items.windows(2).all(|w| w[0].offset + size <= w[1].offset);
        if items.len() > MAX_ITEMS || !disjoint || !items.iter().all(|i| whole(i)) {
            return;
        }
        for item in items {
            let Some(value) = self.start_word(&item.value) else { continue };
            let base = self.global_base(g);
            let offset = self.store.bv(self.store.width(base), item.offset);
            let at = self.store.bv_add(base, offset);
            let word = self.store.select(map, at);
            let contents = self.store.eq(word, value);
            self.store.attach(map, contents);
        }
    }

    fn start_word(&mut self, value: &Expr) -> Option<Term> {
        match value.as_const() {
            Some(c) => Some(self.constant(value.ty, c)),
            None => self.start_address(value),
        }
    }
}

/// Whether a value is all there is in its bytes.
fn fills(ty: Ty) -> bool {
    !matches!(ty, Ty::Bool | Ty::Float(FloatTy::F80))
}
