//! The seam for other meanings of statements: a transfer that answers only for what it is asked gives the same sets, and it
//! is never asked twice for a state.

use bdd::{Bdd, Manager};
use boolprog::oracle::random_programs;
use reach::{
    Compiled, EdgeId, Options, Relation, Role, Space, Transfer, TransferError, analyze, analyze_with, targets,
};
use std::collections::BTreeMap;

struct OnDemand<'p> {
    inner: Compiled<'p>,
    asked: BTreeMap<EdgeId, Bdd>,
    repeated: bool,
}

fn both(m: &Manager, a: &Bdd, b: &Bdd) -> Bdd {
    m.and(a, b).unwrap()
}

impl Transfer for OnDemand<'_> {
    fn image(&mut self, space: &Space, edge: EdgeId, from: &Bdd) -> Result<Relation, TransferError> {
        let m = &space.manager;
        let known = self.asked.entry(edge).or_insert_with(|| m.bot());
        self.repeated |= !both(m, known, from).is_false();
        *known = m.or(known, from)?;
        let whole = self.inner.image(space, edge, from)?;
        // Where new values stand in `Now`, the old ones are not there to be restricted.
        let old = if whole.primed {
            from.clone()
        } else {
            m.exists(from, &space.set(edge.proc, whole.written.iter().copied(), Role::Now)?)?
        };
        Ok(Relation { pairs: both(m, &whole.pairs, &old), total: false, ..whole })
    }
}

#[test]
fn answering_on_demand_gives_the_same_sets() {
    for (i, program) in random_programs(31, 150).enumerate() {
        let targets = targets(&program);
        let options = Options { memory: 64 << 20, ..Options::default() };
        let whole = analyze(&program, &targets, &options).unwrap();
        let mut transfer = OnDemand { inner: Compiled::new(&program), asked: BTreeMap::new(), repeated: false };
        let demand = analyze_with(&program, &mut transfer, &targets, &options).unwrap();
        assert!(!transfer.repeated, "program {i}: a state was asked for twice");
        for (p, proc) in program.procs.iter_enumerated() {
            for s in proc.body.ids() {
                assert_eq!(demand.path_edges(p, s), whole.path_edges(p, s), "program {i}, {p}.{s}");
            }
        }
        assert_eq!(demand.hit(), whole.hit());
    }
}

#[test]
fn a_transfer_that_gives_up_ends_in_unknown() {
    struct Never;
    impl Transfer for Never {
        fn image(&mut self, _: &Space, _: EdgeId, _: &Bdd) -> Result<Relation, TransferError> {
            Err(TransferError::GaveUp("the block is too large".to_owned()))
        }
    }
    let program = random_programs(1, 1).next().unwrap();
    let end = analyze_with(&program, &mut Never, &[], &Options::default()).unwrap_err();
    assert_eq!(end.to_string(), "the block is too large");
}
