//! Each target for itself: all defects of a program, what is proved of the rest, and what no run comes to.
//!
//! A target that fails ends the run, so a program is asked again with that target as an end of runs ([`ir::targets`]), until
//! what is left is proved or not decided; what is not decided together is asked in halves. Every verdict is checked as always:
//! a proof for the program with the targets it is about, and a run for the program itself, in which it is repeated.
//!
//! The time is that of the whole job. Whatever is known is handed over each time something is found, so that an end by
//! a limit or by Ctrl-C loses nothing.

use crate::artifacts::Reporter;
use crate::front::Front;
use crate::settings::{CheckSettings, Extent};
use crate::shorten::{self, Stack};
use crate::work::describe_reason;
use analysis::Analysis;
use certify::{Counterexample, replay};
use ir::interp;
use ir::targets::{Copies, Target, behind, deciding, restricted, targets};
use ir::{EdgeId, ErrorKind, FuncId, Op, Path};
use report::ProgramText;
use report::targets::{TargetReport, TargetState};
use verify::{Engine, Verdict};

/// Rounds of refinement for what is asked after the first answer, if not everything was asked for.
const ROUNDS: u64 = 8;

/// Questions after the first answer, if not everything was asked for.
const QUERIES: usize = 24;

/// What is known of the targets of a program.
pub(crate) struct Survey<'a> {
    settings: &'a CheckSettings,
    front: &'a Front,
    search: verify::Settings,
    targets: Vec<Target>,
    /// What is known of each.
    pub(crate) reports: Vec<TargetReport>,
    /// The runs of those that fail.
    pub(crate) runs: Vec<(usize, Counterexample)>,
    queries: usize,
}

impl<'a> Survey<'a> {
    /// Nothing is known yet.
    pub(crate) fn new(settings: &'a CheckSettings, front: &'a Front, search: &verify::Settings) -> Survey<'a> {
        let found = targets(&front.program);
        let mut all: Vec<(Target, TargetReport)> =
            found.into_iter().map(|t| (t, TargetReport::open(front.source(), t))).collect();
        // Stable: targets of one place stay in the order of the program.
        all.sort_by(|(_, a), (_, b)| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        let (targets, reports) = all.into_iter().unzip();
        let mut search = search.clone();
        if settings.extent != Extent::All {
            search.abstraction.iterations = search.abstraction.iterations.min(ROUNDS);
            search.bounded = verify::bounded::Limits::quick();
        }
        Survey { settings, front, search, targets, reports, runs: Vec::new(), queries: 0 }
    }

    /// Whether there is more to ask than what the first answer says.
    pub(crate) fn goes_on(&self) -> bool {
        self.settings.extent != Extent::First && self.targets.len() > 1
    }

    /// How the run that was found first goes wrong.
    pub(crate) fn first_kind(&self) -> Option<ErrorKind> {
        let target = self.targets[self.runs.first()?.0];
        match &self.front.edge(target.func, target.edge).op {
            Op::Error(kind) => Some(kind.clone()),
            _ => None,
        }
    }

    /// Takes the answer about all targets together.
    pub(crate) fn first(&mut self, answer: &verify::Answer) -> Vec<Vec<usize>> {
        let all: Vec<usize> = (0..self.targets.len()).collect();
        self.take(all, answer, &Copies::default(), self.front.source())
    }

    /// Asks about the rest. `found` hears what is known whenever something was decided.
    pub(crate) fn rest(
        &mut self,
        mut groups: Vec<Vec<usize>>,
        reporter: &mut Reporter<'_>,
        found: &mut dyn FnMut(&mut Survey<'a>, &mut Reporter<'_>),
    ) {
        while let Some(group) = groups.pop() {
            self.queries += 1;
            if self.settings.extent != Extent::All && self.queries > QUERIES {
                let why = "not asked by itself; --all does".to_string();
                group.iter().for_each(|i| self.reports[*i].state = TargetState::Unknown(why.clone()));
                continue;
            }
            let kept: Vec<Target> = group.iter().map(|i| self.targets[*i]).collect();
            let part = restricted(&self.front.program, &self.targets, &|t| kept.contains(t));
            assert_eq!(ir::validate::validate(&part.program), Ok(()), "a program with fewer targets is well formed");
            let analysis = Analysis::new(&part.program);
            let answer = verify::verify(&analysis, &self.search, &mut reporter.about(&part.copies));
            let known = self.decided();
            let text = ProgramText { program: &part.program, ..self.front.source() };
            groups.extend(self.take(group, &answer, &part.copies, text));
            if self.decided() > known {
                found(self, reporter);
            }
        }
        self.cut_off(reporter);
    }

    /// How many targets have an answer.
    fn decided(&self) -> usize {
        self.reports.iter().filter(|t| t.is_proved() || t.state == TargetState::Fails).count()
    }

    /// Notes an answer about the targets of a group; what remains to be asked.
    fn take(
        &mut self,
        mut group: Vec<usize>,
        answer: &verify::Answer,
        part: &Copies,
        text: ProgramText<'_>,
    ) -> Vec<Vec<usize>> {
        let engine = answer.engine.map(|e: Engine| e.name().to_string());
        match &answer.verdict {
            Verdict::Safe(_) => {
                for i in group {
                    self.reports[i].state = TargetState::Proved { behind: Vec::new() };
                    self.reports[i].engine.clone_from(&engine);
                }
                Vec::new()
            }
            Verdict::Unsafe(run) => match self.reached(run.get(), part) {
                Ok((i, run)) if group.contains(&i) => {
                    self.reports[i].state = TargetState::Fails;
                    self.reports[i].engine = engine;
                    self.runs.push((i, run));
                    group.retain(|g| *g != i);
                    if group.is_empty() { Vec::new() } else { vec![group] }
                }
                Ok(_) => self.undecided(&group, "a run reaches a target that was not asked about"),
                Err(why) => self.undecided(&group, &why),
            },
            Verdict::Unknown(reason) => self.undecided(&group, &describe_reason(text, reason)),
        }
    }

    /// What is not decided together is asked in halves, the first one first.
    fn undecided(&mut self, group: &[usize], why: &str) -> Vec<Vec<usize>> {
        if let [only] = *group {
            self.reports[only].state = TargetState::Unknown(why.to_string());
            return Vec::new();
        }
        let (first, second) = group.split_at(group.len() / 2);
        vec![second.to_vec(), first.to_vec()]
    }

    /// Repeats a run of a part in the program itself; the target it ends in.
    fn reached(&self, run: &Counterexample, part: &Copies) -> Result<(usize, Counterexample), String> {
        let program = &self.front.program;
        let original = |(f, e): (FuncId, EdgeId)| (part.original(f), e);
        let path = run.path.as_ref().map(|p| Path { edges: p.edges.iter().map(|at| original(*at)).collect() });
        let mut tape = run.tape.clone();
        for entry in &mut tape.entries {
            if let interp::At::Edge(f, _) = &mut entry.at {
                *f = part.original(*f);
            }
        }
        let checked = replay::replay(program, Counterexample { path, tape });
        let run = checked.map_err(|e| format!("a run of a part is none of the program: {e}"))?.get().clone();
        let mut stack = Stack::default();
        let limits = replay::REPLAY_LIMITS;
        match &run.path {
            Some(path) => interp::follow(program, path, &mut run.tape.inputs(), &limits, &mut stack),
            None => interp::run(program, &mut run.tape.inputs(), &limits, &mut stack),
        };
        if stack.0.is_empty() {
            return Err("a run without steps".to_string());
        }
        let found = self.targets.iter().position(|t| ends_in(t, &stack.0));
        found.map(|i| (i, run)).ok_or_else(|| "a run ends in no target that is known".to_string())
    }

    /// Makes the run of a defect shorter. The verdict stands already: this costs time and gains only readability.
    pub(crate) fn shorten(&mut self, nth: usize) {
        let Some((target, run)) = self.runs.get_mut(nth) else { return };
        let target = self.targets[*target];
        *run = shorten::shorten(&self.front.program, run.clone(), &|stack| ends_in(&target, stack));
    }

    /// Of what is proved behind a defect: whether a run comes there at all.
    fn cut_off(&mut self, reporter: &mut Reporter<'_>) {
        let mut before: Vec<Vec<String>> = vec![Vec::new(); self.targets.len()];
        for (failing, _) in &self.runs {
            let place = self.reports[*failing].place();
            for target in behind(&self.front.program, &self.targets, &self.targets[*failing]) {
                let i = self.targets.iter().position(|t| *t == target).expect("one of them");
                if !before[i].contains(&place) {
                    before[i].push(place.clone());
                }
            }
        }
        for (i, before) in before.into_iter().enumerate() {
            if let (TargetState::Unknown(why), Some(first)) = (&mut self.reports[i].state, before.first()) {
                let more = if before.len() > 1 { format!(" and {} more", before.len() - 1) } else { String::new() };
                *why += &format!("; behind the defect at {first}{more}");
            }
            if before.is_empty() || !self.reports[i].is_proved() {
                continue;
            }
            let program = deciding(&self.front.program, &self.targets, &self.targets[i]);
            let never = ir::validate::validate(&program).is_ok() && {
                let analysis = Analysis::new(&program);
                let mut search = self.search.clone();
                search.abstraction.iterations = search.abstraction.iterations.min(ROUNDS);
                matches!(verify::verify(&analysis, &search, &mut reporter.quiet()).verdict, Verdict::Safe(_))
            };
            self.reports[i].state =
                if never { TargetState::CutOff { behind: before } } else { TargetState::Proved { behind: before } };
        }
    }
}

/// Whether a run with these open steps at its end ends in the target.
fn ends_in(target: &Target, stack: &[(FuncId, EdgeId)]) -> bool {
    let Some((last, below)) = stack.split_last() else { return false };
    (target.func, target.edge) == *last && target.call.is_none_or(|call| below.last() == Some(&call))
}
