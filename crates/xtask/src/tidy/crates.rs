//! Rules about the crates of the workspace: manifests, directions, and the map in ARCHITECTURE.md.

use super::{Finding, Tree};
use serde_json::Value;

/// Which crate may use which of ours, `base` left out because everyone may. A new edge is a change of architecture: it
/// gets a line here in a commit of its own. Crates that do not exist yet have their row, so that they start right.
const MAY_USE: &[(&str, MayUse)] = &[
    ("base", Only(&[])),
    ("cfront", Only(&[])),
    ("ir", Only(&[])),
    ("logic", Only(&[])),
    ("boolprog", Only(&[])),
    ("bdd", Only(&[])),
    ("pointsto", Only(&["ir"])),
    ("lower", Only(&["cfront", "ir", "pointsto"])),
    ("analysis", Only(&["ir", "pointsto"])),
    ("vc", Only(&["ir", "pointsto", "analysis", "logic"])),
    ("predabs", Only(&["ir", "pointsto", "analysis", "vc", "logic", "boolprog"])),
    ("reach", Only(&["boolprog", "bdd"])),
    ("refine", Only(&["ir", "pointsto", "analysis", "vc", "logic"])),
    ("certify", Only(&["ir", "pointsto", "analysis", "vc", "logic"])),
    ("invgen", Only(&["ir", "pointsto", "analysis", "vc", "logic"])),
    (
        "verify",
        Only(&[
            "ir", "pointsto", "analysis", "vc", "logic", "boolprog", "bdd", "predabs", "reach", "refine", "certify",
            "invgen",
        ]),
    ),
    ("report", Only(&["ir", "analysis", "vc", "logic", "bdd", "certify", "verify"])),
    ("spec", Only(&["cfront", "ir", "lower"])),
    ("sparkfront", Only(&["ir"])),
    ("xfront", Only(&["ir"])),
    ("svcomp", Only(&[])),
    ("cli", AnyLibrary),
    ("testkit", AnyLibrary),
    ("xtask", AnyLibrary),
];

#[derive(Clone, Copy)]
enum MayUse {
    /// These and `base`.
    Only(&'static [&'static str]),
    /// Every crate but the ones for developers and the command.
    AnyLibrary,
}
use MayUse::{AnyLibrary, Only};

/// The packages of the workspace, as `(name, package)`.
fn members(tree: &Tree) -> Vec<(&str, &Value)> {
    let ids: Vec<&Value> = tree.metadata["workspace_members"].as_array().into_iter().flatten().collect();
    let packages = tree.metadata["packages"].as_array().into_iter().flatten();
    packages.filter(|p| ids.contains(&&p["id"])).filter_map(|p| Some((p["name"].as_str()?, p))).collect()
}

/// Every crate has a description, takes its lints from the workspace, and is not published by accident.
pub(super) fn manifests(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, package) in members(tree) {
        let path = format!("crates/{name}/Cargo.toml");
        if package["description"].as_str().is_none_or(|d| d.trim().is_empty()) {
            findings.push(Finding::error(&path, "the crate has no description"));
        }
        let Some(file) = tree.files.iter().find(|f| f.path == path) else {
            findings.push(Finding::error(&path, "the crate's folder is not named after it"));
            continue;
        };
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        if !lines.windows(2).any(|w| w == ["[lints]", "workspace = true"]) && !lines.contains(&"lints.workspace = true")
        {
            findings.push(Finding::error(&path, "the crate does not take its lints from the workspace"));
        }
    }
    findings
}

/// Where a crate's tests are one binary, every file beside `main.rs` is a module of it or a test by itself: cargo would not miss it.
pub(super) fn tests_are_run(tree: &Tree) -> Vec<Finding> {
    let text_of = |path: &str| tree.files.iter().find(|f| f.path == path).map(|f| f.text.as_str());
    let mut findings = Vec::new();
    for file in &tree.files {
        let Some((folder, name)) = file.path.rsplit_once('/') else { continue };
        let (Some(package), Some(stem)) = (folder.strip_suffix("/tests"), name.strip_suffix(".rs")) else { continue };
        let Some(main) = text_of(&format!("{folder}/main.rs")) else { continue };
        let manifest = text_of(&format!("{package}/Cargo.toml")).unwrap_or_default();
        let is_module = main.lines().any(|l| l == format!("mod {stem};"));
        if !is_module && !manifest.lines().any(|l| l == format!("name = \"{stem}\"")) {
            findings.push(Finding::error(&file.path, format!("no test: `{folder}/main.rs` has no `mod {stem};`")));
        }
    }
    findings
}

/// Every edge between our crates is in the table. Tests may use any library: they are no part of the architecture.
pub(super) fn edges(tree: &Tree) -> Vec<Finding> {
    let members = members(tree);
    let mut findings = Vec::new();
    for (name, package) in &members {
        let place = format!("crates/{name}/Cargo.toml");
        let Some((_, may_use)) = MAY_USE.iter().find(|(n, _)| n == name) else {
            findings.push(Finding::error(place, format!("`{name}` has no row in the table of crate edges")));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            if !members.iter().any(|(n, _)| *n == used) {
                continue;
            }
            let for_tests = dependency["kind"] == "dev";
            if !allowed(name, *may_use, used, for_tests) {
                findings.push(Finding::error(&place, format!("`{name}` may not use `{used}`")));
            }
        }
    }
    findings
}

fn allowed(name: &str, may_use: MayUse, used: &str, for_tests: bool) -> bool {
    match used {
        "base" => true,
        "cli" | "xtask" => false,
        "testkit" => for_tests || name == "xtask",
        _ if for_tests => true,
        _ => match may_use {
            AnyLibrary => true,
            Only(crates) => crates.contains(&used),
        },
    }
}

/// ARCHITECTURE.md has one heading per crate, and one crate per heading.
pub(super) fn headings(tree: &Tree) -> Vec<Finding> {
    const MAP: &str = "ARCHITECTURE.md";
    let Some(map) = tree.files.iter().find(|f| f.path == MAP) else {
        return vec![Finding::error(MAP, "the file is missing")];
    };
    let headings: Vec<(usize, &str)> =
        map.text.lines().enumerate().filter_map(|(i, l)| Some((i + 1, heading(l)?))).collect();
    let members = members(tree);
    let mut findings = Vec::new();
    for (name, _) in &members {
        match headings.iter().filter(|(_, h)| h == name).count() {
            0 => findings.push(Finding::error(MAP, format!("the crate `{name}` has no heading ### `{name}`"))),
            1 => {}
            _ => findings.push(Finding::error(MAP, format!("the crate `{name}` has several headings"))),
        }
    }
    for (line, heading) in headings {
        if !members.iter().any(|(name, _)| *name == heading) {
            findings.push(Finding::error(format!("{MAP}:{line}"), format!("there is no crate `{heading}`")));
        }
    }
    findings
}

/// Every library of others that a crate uses directly has a row in the table of ARCHITECTURE.md that says why.
pub(super) fn dependencies(tree: &Tree) -> Vec<Finding> {
    let map = tree.files.iter().find(|f| f.path == "ARCHITECTURE.md").map_or("", |f| f.text.as_str());
    let rows: Vec<&str> = map.lines().filter_map(|l| l.strip_prefix("| `")?.split('|').next()).collect();
    let has_row = |name: &str| rows.iter().any(|row| row.split('`').any(|part| part == name));
    let members = members(tree);
    let mut findings = Vec::new();
    for (member, package) in &members {
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            if !members.iter().any(|(n, _)| *n == used) && !has_row(used) {
                let message = format!("ARCHITECTURE.md does not say why `{used}` is used");
                findings.push(Finding::error(format!("crates/{member}/Cargo.toml"), message));
            }
        }
    }
    findings
}

/// The `name` of "### `name`", whatever follows it.
fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("### `")?.split_once('`').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A crate and what it uses, with the kind of the dependency.
    type Package<'a> = (&'a str, &'a [(&'a str, Option<&'a str>)]);

    fn tree(packages: &[Package<'_>], files: &[(&str, &str)]) -> Tree {
        let package = |(name, uses): &Package<'_>| {
            let uses: Vec<Value> = uses.iter().map(|(n, k)| json!({"name": n, "kind": k})).collect();
            json!({"name": name, "id": name, "description": "It is.", "dependencies": uses})
        };
        let ids: Vec<&str> = packages.iter().map(|p| p.0).collect();
        let metadata = json!({"workspace_members": ids, "packages": packages.iter().map(package).collect::<Vec<_>>()});
        Tree { metadata, ..Tree::of(files) }
    }

    #[test]
    fn edges_outside_the_table_are_found() {
        let tree = tree(
            &[
                ("base", &[]),
                ("logic", &[("base", None), ("serde", None)]),
                ("cfront", &[("logic", None)]),
                ("ir", &[("logic", Some("dev")), ("testkit", Some("dev")), ("cli", Some("dev"))]),
                ("testkit", &[("ir", None)]),
                ("vc", &[("testkit", None)]),
                ("cli", &[("logic", None)]),
                ("unheard", &[]),
            ],
            &[],
        );
        let found: Vec<String> = edges(&tree).into_iter().map(|f| f.message).collect();
        assert_eq!(
            found,
            [
                "`cfront` may not use `logic`",
                "`ir` may not use `cli`",
                "`vc` may not use `testkit`",
                "`unheard` has no row in the table of crate edges"
            ]
        );
    }

    #[test]
    fn the_table_has_no_cycle_and_no_unknown_crate() {
        // The rows stand in an order in which every crate comes after what it uses.
        for (i, (name, may_use)) in MAY_USE.iter().enumerate() {
            if let Only(crates) = may_use {
                for used in *crates {
                    assert!(MAY_USE[..i].iter().any(|(n, _)| n == used), "`{name}` uses `{used}`, which comes later");
                }
            }
        }
    }

    #[test]
    fn headings_and_crates_agree_both_ways() {
        let map = "# Map\n### `base`: ids\n### `gone`\n### Other\n";
        let found: Vec<String> = headings(&tree(&[("base", &[]), ("ir", &[])], &[("ARCHITECTURE.md", map)]))
            .into_iter()
            .map(|f| f.message)
            .collect();
        assert_eq!(found, ["the crate `ir` has no heading ### `ir`", "there is no crate `gone`"]);
        assert_eq!(headings(&tree(&[], &[])).len(), 1);
    }

    #[test]
    fn manifests_without_lints_are_found() {
        let good = "[package]\n[lints]\nworkspace = true\n";
        let found = manifests(&tree(
            &[("base", &[]), ("ir", &[])],
            &[("crates/base/Cargo.toml", good), ("crates/ir/Cargo.toml", "[package]\n")],
        ));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place, "crates/ir/Cargo.toml");
    }

    #[test]
    fn libraries_without_a_reason_are_found() {
        let map = "| `clap`, `clap_complete` | `cli` | the command line |\n";
        let uses: Package<'_> = ("ir", &[("base", None), ("clap_complete", None), ("left-pad", None)]);
        let found = dependencies(&tree(&[("base", &[]), uses], &[("ARCHITECTURE.md", map)]));
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("left-pad"));
    }

    #[test]
    fn files_of_tests_that_are_none_are_found() {
        let manifest = "autotests = false\n[[test]]\nname = \"main\"\n[[test]]\nname = \"c\"\n";
        let found = tests_are_run(&tree(
            &[("ir", &[])],
            &[
                ("crates/ir/Cargo.toml", manifest),
                ("crates/ir/tests/main.rs", "mod a;\n"),
                ("crates/ir/tests/a.rs", ""),
                ("crates/ir/tests/b.rs", ""),
                ("crates/ir/tests/c.rs", ""),
                ("crates/vc/tests/d.rs", ""),
            ],
        ));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place, "crates/ir/tests/b.rs");
    }
}
