//! Bad input and bad usage: one message each, and the documented exit code.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use crate::support::Folder;

const TRIVIAL: &str = "int main(void) { return 0; }\n";

#[test]
fn files_that_cannot_be_read() {
    let dir = Folder::new("unreadable");
    dir.file("binary.c", b"int x;\nint \0y;\n").file("empty.c", "").file("escape.c", b"char *s = \"\\\xe9\";\n");
    std::fs::create_dir(dir.0.join("folder.c")).unwrap();
    for (name, place, message) in [
        ("missing.c", "missing.c", "cannot read the file: no such file or directory"),
        ("folder.c", "folder.c", "cannot read the file: it is a directory"),
        ("binary.c", "binary.c:2:5", "this is a binary file (it contains a NUL byte)"),
        ("empty.c", "empty.c:1:1", "the file is empty"),
        ("escape.c", "escape.c:1:13", "a backslash before a byte that is not UTF-8 has no defined meaning"),
    ] {
        let err = format!("{place}: error: {message}");
        let reason = format!("(front end: {place}: {message})");
        dir.run(&["check", name]).expect(2, &format!("Verdict: UNKNOWN {reason}"), &err);
        dir.run(&["run", name]).expect(2, &format!("Run: UNKNOWN {reason}"), &err);
        dir.run(&["certify", name, "p"]).expect(2, &format!("Proof: UNKNOWN {reason}"), &err);
    }
}

#[test]
fn a_file_too_large_to_address_is_refused_without_reading_it() {
    let dir = Folder::new("large");
    let file = std::fs::File::create(dir.0.join("large.c")).unwrap();
    if file.set_len(5 << 30).is_err() {
        eprintln!("skipped: this file system has no sparse files");
        return;
    }
    let ran = dir.run(&["check", "large.c"]);
    std::fs::remove_file(dir.0.join("large.c")).unwrap();
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "large.c: error: the file is larger than 4 GiB\n"));
}

#[test]
fn proofs_and_tapes_that_cannot_be_read() {
    let dir = Folder::new("proofs");
    dir.file("a.c", TRIVIAL).file("empty", "").file("binary", b"proof \xff");
    for (args, err) in [
        (&["certify", "a.c", "missing"][..], "missing: error: cannot read the file: no such file or directory"),
        (&["certify", "a.c", "empty"], "empty:1:1: error: the file is empty"),
        (&["certify", "a.c", "binary"], "binary:1:7: error: this is not a text file (not UTF-8)"),
        (&["run", "a.c", "--tape", "missing"], "missing: error: cannot read the file: no such file or directory"),
        (&["run", "a.c", "--tape", "binary"], "binary:1:7: error: this is not a text file (not UTF-8)"),
        (&["check", "a.c", "--predicates", "empty"], "empty:1:1: error: the file is empty"),
    ] {
        let ran = dir.run(args);
        assert_eq!((ran.code, ran.err.trim_end()), (Some(2), err), "{args:?}");
    }
}

#[test]
fn programs_that_are_none() {
    let dir = Folder::new("no-program");
    let deep =
        |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(100_000), close.repeat(100_000));
    dir.file("syntax.c", "int f(void);\nint main(void) { int x = ; }\n");
    dir.file("undeclared.c", "int main(void) {\n\treturn x;\n}\n");
    dir.file("comment.c", "/* never closed\nint main(void) { return 0; }\n");
    dir.file("no-main.c", "int f(void) { return 0; }\n").file("declared.c", "int main(void);\n");
    dir.file("parentheses.c", format!("int main(void) {{ return {}; }}\n", deep("(", "0", ")")));
    dir.file("blocks.c", format!("int main(void) {}\n", deep("{", "", "}")));
    dir.file("unary.c", format!("int main(void) {{ return {}; }}\n", deep("-~", "0", "")));
    dir.file("sum.c", format!("int main(void) {{ return 0{}; }}\n", "+0".repeat(5_000_000)));
    dir.file("mark.i", "# 7 \"user.c\"\nint main(void) { return $; }\n");
    for (name, message) in [
        ("syntax.c", "syntax.c:2:24: error: expected an expression before ';' [syntax]\n"),
        ("undeclared.c", "undeclared.c:2:9: error: 'x' undeclared [undeclared]\n 2 |  return x;\n   |         ^"),
        ("comment.c", "comment.c:1:1: error: "),
        ("no-main.c", "error: no function `main` in no-main.c [no-entry]"),
        ("declared.c", "declared.c:1:5: error: function `main` is declared but not defined [no-entry]"),
        ("parentheses.c", "parentheses.c:1:10023: error: nested too deeply (more than 10000 levels) [depth]\n"),
        ("blocks.c", "blocks.c:1:10016: error: nested too deeply (more than 10000 levels) [depth]\n"),
        ("unary.c", "unary.c:1:"),
        ("sum.c", "sum.c:1:25: error: expression nested too deeply (more than 10000 levels) [depth]\n"),
        ("mark.i", "user.c:7:25: error: "),
    ] {
        for command in ["check", "run"] {
            let ran = dir.run(&[command, name, "--timeout", "20s"]);
            assert_eq!(ran.code, Some(2), "{name}: {} {}", ran.out, ran.err);
            assert!(ran.err.starts_with(message) && ran.err.len() < 1000, "{name}: {}", ran.err);
            assert_eq!(ran.err.matches("error: ").count(), 1, "{name}: {}", ran.err);
            assert!(
                ran.out.contains(": UNKNOWN (front end: ") && ran.out.lines().last().is_some(),
                "{name}: {}",
                ran.out
            );
            let advice = if name == "no-main.c" || name == "declared.c" { 2 } else { 0 };
            assert_eq!(ran.out.lines().count(), 1 + advice, "{name}: {}", ran.out);
        }
    }
}

#[test]
fn what_was_meant_is_said() {
    let dir = Folder::new("bad-meant");
    dir.file("a.c", "#include \"nowhere.h\"\nint main(void) { return 0; }\n");
    dir.file("b.c", "int main(void) { return 0; }\n");
    std::fs::write(dir.0.join("database.json"), b"\xff\xfe").unwrap();
    for (args, code, part) in [
        (&["check", "a.c"][..], 2, "note: -I FOLDER says where headers are"),
        (&["check", "b.c", "./b.c"], 2, "./b.c: error: the file is given twice"),
        (&["check", "b.c", "-p", "database.json"], 2, "cannot read the compilation database: this is not a text file"),
        (&["check", "b.c", "--rules", "linux/spinlok"], 1, "there is `linux/spinlock`"),
        (
            &["check", "b.c", "--rule", "none.slic"],
            1,
            "error: none.slic: cannot read the file: no such file or directory",
        ),
    ] {
        let ran = dir.run(args);
        assert!(ran.code == Some(code) && ran.err.contains(part), "{args:?}: {:?} {}", ran.code, ran.err);
    }
}

#[test]
fn an_entry_that_is_not_there_is_wrong_usage() {
    let dir = Folder::new("no-entry");
    dir.file("a.c", TRIVIAL);
    for command in ["check", "run"] {
        let ran = dir.run(&[command, "a.c", "--entry", "nosuch"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(1), "error: no function `nosuch` in a.c [no-entry]\n"));
    }
}

#[test]
fn wrong_usage_is_one_complaint_and_no_verdict() {
    let dir = Folder::new("usage");
    dir.file("a.c", TRIVIAL).file("overflow.prp", "CHECK( init(main()), LTL(F end) )\n");
    dir.file("start.prp", "CHECK( init(start()), LTL(G ! call(reach_error())) )\n");
    for (args, message) in [
        (&["check"][..], "required arguments were not provided"),
        (&["chek", "a.c"], "unrecognized subcommand"),
        (&["check", "a.c", "--frobnicate"], "unexpected argument '--frobnicate'"),
        (&["check", "a.c", "--data-model", "ILP64"], "invalid value 'ILP64' for '--data-model <MODEL>'"),
        (&["check", "a.c", "--timeout", "soon"], "expected a time such as 60, 60s, 2m, 1h or 500ms"),
        (&["check", "a.c", "--timeout", "0"], "a time limit of zero leaves no time"),
        (&["check", "a.c", "--memory", "lots"], "expected a size such as 4G, 512M or 65536K"),
        (&["check", "a.c", "--engine", "warp"], "invalid value 'warp' for '--engine <ENGINE>'"),
        (&["check", "a.c", "--externs", "nice"], "invalid value 'nice' for '--externs <KIND>'"),
        (&["check", "a.c", "--malloc", "maybe"], "invalid value 'maybe' for '--malloc <KIND>'"),
        (&["check", "a.c", "--signed-overflow", "trap"], "invalid value 'trap' for '--signed-overflow <KIND>'"),
        (&["check", "a.c", "--dump", "ir"], "--out <DIR>"),
        (&["check", "a.c", "--dump", "xml", "--out", "d"], "invalid value 'xml' for '--dump <FORM>'"),
        (&["check", "a.c", "--out", "d"], "--dump <FORM>"),
        (&["check", "a.c", "--stats", "no/such/s.json"], "cannot write no/such/s.json: no such file or directory"),
        (&["check", "a.c", "--emit-proof", "no/p"], "cannot write no/p: there is no directory no"),
        (&["check", "a.c", "--emit-tape", "."], "cannot write .: it is a directory"),
        (&["check", "a.c", "--property", "none.prp"], "none.prp: cannot read the property: no such file or directory"),
        (
            &["check", "a.c", "--property", "a.c"],
            "a.c: line 1: expected `CHECK( init(main()), LTL(...) )`, found `int main",
        ),
        (
            &["check", "a.c", "--property", "overflow.prp"],
            "overflow.prp: property `termination` is not supported (unreach-call, no-overflow, ",
        ),
        (
            &["check", "a.c", "--property", "start.prp", "--entry", "main"],
            "--entry main contradicts start.prp, which starts in `start`",
        ),
        (&["run", "a.c", "--max-steps", "many"], "invalid value 'many' for '--max-steps <N>'"),
        (&["run", "a.c", "--tape", "t", "--seed", "1"], "cannot be used with"),
        (&["run", "a.c", "--seed", "x"], "invalid value 'x' for '--seed <N>'"),
        (&["check", "a.c", "--volatile", "maybe"], "invalid value 'maybe' for '--volatile <KIND>'"),
        (&["certify", "a.c"], "2 values required"),
    ] {
        let ran = dir.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{args:?}: {ran:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
        assert_eq!(ran.err.matches("error:").count(), 1, "{args:?}: {}", ran.err);
    }
}

#[test]
fn help_and_version_are_not_errors() {
    let dir = Folder::new("help");
    for args in [&["--help"][..], &["--version"], &["check", "--help"]] {
        let ran = dir.run(args);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
        assert!(!ran.out.is_empty() && !ran.out.contains("__worker"), "{args:?}");
    }
}

#[test]
fn the_workers_command_is_not_for_users() {
    let ran = crate::support::Ran::of(Folder::new("hidden").command(&["__worker"]).stdin(std::process::Stdio::null()));
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

#[test]
fn the_preprocessor_is_called_when_there_are_directives() {
    let dir = Folder::new("preprocessor");
    dir.file("bad.c", "int x;\n#include \"nope.h\"\nint main(void) { return 0; }\n");
    dir.file(
        "cond.c",
        "#ifndef YES\n#error not defined\n#endif\n#ifdef NO\n#error defined\n#endif\nint main(void) { return 0; }\n",
    );
    dir.file("inc.c", "#include \"h.h\"\nint main(void) { return 0; }\n");
    std::fs::create_dir(dir.0.join("inc")).unwrap();
    dir.file("inc/h.h", "int from_header;\n");
    dir.file("plain.i", "# 1 \"a.c\"\nint main(void) { return 0; }\n#pragma once\n");
    dir.file("left.i", "int main(void) { return 0; }\n#define LEFT\n");
    let ran = dir.run(&["check", "bad.c"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("bad.c:2:10: fatal error: nope.h: No such file or directory\n"), "{}", ran.err);
    assert_eq!(ran.err.matches("error").count(), 1, "{}", ran.err);
    assert!(ran.out.starts_with("Verdict: UNKNOWN (front end: preprocessor: bad.c:2:10: fatal error: "), "{}", ran.out);
    for (args, accepted) in [
        (&["check", "cond.c"][..], false),
        (&["check", "cond.c", "-DYES"], true),
        (&["check", "cond.c", "-DYES", "-DNO=1"], false),
        (&["check", "cond.c", "-DYES", "-DNO=1", "-UNO"], true),
        (&["check", "inc.c"], false),
        (&["check", "inc.c", "-I", "inc"], true),
        (&["check", "inc.c", "-Iinc", "-include", "inc/h.h", "-std=c99"], true),
        (&["check", "inc.c", "-Iinc", "-std=c1066"], false),
        (&["check", "plain.i"], true),
        (&["check", "left.i"], false),
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.code != Some(2), accepted, "{args:?}: {ran:?}");
    }
}

#[test]
fn odd_files_that_are_fine() {
    let dir = Folder::new("odd");
    let long_line = format!("char s[] = \"{}\"; int main(void) {{ return 0; }}\n", "long ".repeat(2_000_000));
    let statements = format!("int main(void) {{ int x = 0; {} return x; }}\n", "x=1;".repeat(20_000));
    dir.file("latin1.c", b"/* caf\xe9 */ char *s = \"caf\xe9\"; int main(void) { return 0; }\n");
    dir.file("bom.c", b"\xef\xbb\xbfint main(void) { return 0; }\n");
    dir.file("crlf.c", "int main(void)\r\n{ return 0; }\r\n").file("no-newline.c", "int main(void) { return 0; }");
    dir.file("-dash.c", "#define A 0\nint main(void) { return A; }\n")
        .file("name.txt", "#define A 0\nint main(void) { return A; }\n");
    dir.file("pragma.c", "#pragma once\n# 7 \"user.c\"\nint main(void) { return 0; }\n").file("long.c", long_line);
    dir.file("statements.c", statements);
    dir.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    for name in
        ["latin1.c", "bom.c", "crlf.c", "no-newline.c", "-dash.c", "name.txt", "pragma.c", "long.c", "statements.c"]
    {
        let ran = dir.run(&["check", "--timeout", "60s", "--property", "p.prp", "--", name]);
        assert!(ran.code == Some(0) && ran.err.is_empty(), "{name}: {:?} {} {}", ran.code, ran.out, ran.err);
        assert!(ran.out.contains("\nVerdict: SAFE (") && ran.out.lines().count() < 10, "{name}: {}", ran.out);
    }
}

#[test]
fn a_missing_preprocessor_is_named() {
    let dir = Folder::new("no-cc");
    dir.file("a.c", "#define A 1\nint main(void) { return A; }\n").file("b.c", TRIVIAL);
    let ran = crate::support::Ran::of(dir.command(&["check", "a.c"]).env("PATH", &dir.0));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.starts_with("a.c: error: the file contains preprocessor directives, but there is no C compiler `cc`")
    );
    let ran = crate::support::Ran::of(dir.command(&["check", "b.c"]).env("PATH", &dir.0));
    assert_ne!(ran.code, Some(2), "a file without directives needs no compiler: {ran:?}");
}
