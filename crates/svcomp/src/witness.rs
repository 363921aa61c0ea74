//! What a witness says, whatever the format: which program it is about, and either what holds or what happens.

/// A witness and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// What it is about.
    pub metadata: Metadata,
    /// What it says.
    pub content: Content,
}

/// What a witness is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// A name that no other witness has (RFC 4122).
    pub uuid: String,
    /// When it was made (ISO 8601).
    pub creation_time: String,
    /// The tool that made it.
    pub producer: String,
    /// The version of that tool.
    pub version: String,
    /// The files of the program, each with the SHA-256 of its content.
    pub input_files: Vec<(String, String)>,
    /// The property, as its file has it.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The property holds, because these conditions do.
    Correctness(Vec<Invariant>),
    /// The property is broken by the runs that pass these segments in order.
    Violation(Vec<Segment>),
}

/// A place of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: Option<u32>,
    /// The function around it.
    pub function: Option<String>,
}

/// Where an invariant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvariantKind {
    /// Each time the condition of a loop is about to be evaluated; the place is its keyword.
    Loop,
    /// Each time the statement at the place is about to be executed.
    Location,
    /// Each time the function at the place begins. (Version 2.1 has it as half of a contract.)
    Requires,
    /// Each time the function at the place ends.
    Ensures,
}

/// A condition that holds somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Where.
    pub kind: InvariantKind,
    /// The place.
    pub place: Place,
    /// The condition, as a C expression. `\result` is what the function returns, `\at(x, Pre)` the value of a parameter or global when the
    /// function began.
    pub value: String,
}

impl Invariant {
    /// Whether the condition is more than C: it has a word that begins with a backslash.
    pub fn is_extended(&self) -> bool {
        ["\\result", "\\at(", "\\old("].iter().any(|word| self.value.contains(word))
    }
}

/// Points that a run has to avoid until it passes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Points that it does not pass on the way.
    pub avoid: Vec<Waypoint>,
    /// The point that it passes.
    pub follow: Waypoint,
}

/// The kinds of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// A condition holds before the statement at the place.
    Assumption,
    /// A condition of the program is decided: `true`, `false`, or the number of a case.
    Branching,
    /// A function is entered by the call at the place.
    FunctionEnter,
    /// The call that ends at the place returns, and the condition holds of its `\result`.
    FunctionReturn,
    /// The property is broken.
    Target,
}

impl WaypointKind {
    /// All kinds with the names that formats have for them.
    pub const NAMES: [(WaypointKind, &'static str); 5] = [
        (WaypointKind::Assumption, "assumption"),
        (WaypointKind::Branching, "branching"),
        (WaypointKind::FunctionEnter, "function_enter"),
        (WaypointKind::FunctionReturn, "function_return"),
        (WaypointKind::Target, "target"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        WaypointKind::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

/// A point of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// What happens there.
    pub kind: WaypointKind,
    /// Where.
    pub place: Place,
    /// Under which condition it counts.
    pub constraint: Option<String>,
}
