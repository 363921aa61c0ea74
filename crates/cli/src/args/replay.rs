//! The command `replay`.

use super::{LimitArgs, ProgramArgs, lower_limits, lower_program};
use crate::settings::{BlockSize, CheckSettings, Extent, Job, Limits, ProgramSettings, ReplaySettings};

#[derive(clap::Args, Debug)]
pub(super) struct ReplayArgs {
    /// C files; together they are one program. With -p and no file: all files of the compilation database.
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Take the inputs from this file, which `check --emit-tape` wrote; without it, a run is looked for.
    #[arg(long, value_name = "FILE")]
    tape: Option<String>,
    /// Keep the C file that plays the outside.
    #[arg(short, long, value_name = "FILE.c")]
    output: Option<String>,
    /// Show every step of the run; without it, long loops and lists are cut.
    #[arg(long)]
    full_trace: bool,
}

impl ReplayArgs {
    pub(super) fn lower(self) -> Result<Job, String> {
        let mut check = check_with(lower_program(self.files, self.program)?, lower_limits(&self.limits));
        if let Some(machine) = &check.program.machine {
            return Err(format!("the program is run here, not on {machine}"));
        }
        (check.emit_test, check.full_trace) = (self.output, self.full_trace);
        Ok(Job::Replay(ReplaySettings { check, tape: self.tape }))
    }
}

/// The check of a program until its first defect, with all other options at their defaults.
fn check_with(program: ProgramSettings, limits: Limits) -> CheckSettings {
    CheckSettings {
        extent: Extent::First,
        program,
        limits,
        engines: Vec::new(),
        unwind: None,
        depth: None,
        predicates: None,
        invgen: true,
        max_cube: None,
        block: BlockSize::Statement,
        dump: None,
        stats: None,
        replay_compiled: false,
        emit_proof: None,
        emit_tape: None,
        emit_test: None,
        witness: None,
        witness_graphml: None,
        full_trace: false,
        show_proof: false,
        details: false,
        max_iterations: None,
        cache: None,
    }
}
