//! Programs of several files, and flags from compilation databases.

use crate::support::Folder;

/// A program of two files, each with flags of its own.
fn build(name: &str) -> Folder {
    let folder = Folder::new(name);
    let root = folder.0.display().to_string();
    std::fs::create_dir_all(folder.0.join("inc")).unwrap();
    folder
        .file("inc/lib.h", "int twice(int x);\n")
        .file("a.c", "#include \"lib.h\"\nvoid reach_error(void);\nint main(void) { if (twice(LIMIT) != 6) reach_error(); return 0; }\n")
        .file("b.c", "int twice(int x) { return FACTOR * x; }\n")
        .file(
            "compile_commands.json",
            format!(
                r#"[{{"directory": "{root}", "file": "a.c", "command": "cc -O2 -Iinc -DLIMIT='(1 + 2)' -c a.c"}},
                    {{"directory": "{root}", "file": "b.c", "arguments": ["cc", "-DFACTOR=2", "-c", "b.c"]}}]"#
            ),
        );
    folder
}

#[test]
fn flags_come_from_the_database() {
    let folder = build("database-flags");
    for args in [&["check", "-p", "."][..], &["check", "--compile-commands", "compile_commands.json", "a.c", "b.c"]] {
        let ran = folder.run(args);
        assert!(ran.code == Some(0) && ran.out.contains("Verdict: SAFE"), "{ran:?}");
    }
    let ran = folder.run(&["check", "a.c", "b.c", "-I", "inc"]);
    assert_eq!(ran.code, Some(2), "without the macros of the build the files cannot be read: {ran:?}");
}

#[test]
fn a_database_that_does_not_fit_is_named() {
    let folder = build("database-misfit");
    folder.file("c.c", "int main(void) { return 0; }\n").file("bad.json", "[{\"file\": 3}]");
    for (args, said) in [
        (&["check", "-p", ".", "c.c"][..], "c.c: error: ./compile_commands.json has no entry for this file"),
        (&["check", "-p", "bad.json", "c.c"], "bad.json:1:11: error: this is not a compilation database"),
        (&["check", "-p", "nowhere", "c.c"], "nowhere: error: cannot read the compilation database: no such file"),
    ] {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(said), "{said}: {ran:?}");
    }
}

#[test]
fn a_function_defined_twice_names_both_places() {
    let folder = Folder::new("linked-twice");
    folder
        .file("a.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n")
        .file("b.c", "int f(void) { return 2; }\n");
    let ran = folder.run(&["check", "a.c", "b.c"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("b.c:1:5: error: `f` is defined twice") && ran.err.contains("a.c:1:5"), "{ran:?}");
}

/// A folder of the database is meant from the database's place, folders of the command line from where it is given.
#[test]
fn relative_folders_are_found() {
    let folder = Folder::new("database-relative");
    for name in ["src/inc", "build", "own"] {
        std::fs::create_dir_all(folder.0.join(name)).unwrap();
    }
    folder
        .file("src/inc/v.h", "#define V 3\n")
        .file("own/w.h", "#define W 3\n")
        .file("src/a.c", "#include \"v.h\"\n#include \"w.h\"\nint main(void) { return V - W; }\n")
        .file(
            "build/compile_commands.json",
            r#"[{"directory": "../src", "file": "a.c", "command": "cc -Iinc -c a.c"}]"#,
        );
    for args in [&["run", "-p", "build", "-I", "own"][..], &["run", "-p", "build", "-Iown", "src/a.c"]] {
        let ran = folder.run(args);
        assert!(ran.code == Some(0) && ran.out.contains("`main` returns 0"), "{ran:?}");
    }
}

/// Macros that the compiler defines need no directive, and those of the command line none either.
#[test]
fn macros_without_directives() {
    let folder = Folder::new("database-macros");
    folder
        .file("a.c", "int main(void) { return sizeof(__SIZE_TYPE__) != sizeof(long) || __INT_MAX__ != 2147483647; }\n")
        .file("b.c", "int main(void) { return WANTED; }\n");
    for (args, value) in [(&["run", "a.c"][..], 0), (&["run", "-DWANTED=4", "b.c"], 4)] {
        let ran = folder.run(args);
        assert!(ran.out.contains(&format!("`main` returns {value}")), "{ran:?}");
    }
}

#[test]
fn a_run_shows_what_the_program_prints() {
    let folder = Folder::new("database-printing");
    folder.file(
        "a.c",
        "#include <stdarg.h>\n#include <stdio.h>\n\
         static int say(const char *f, ...) { va_list l; va_start(l, f); int n = vprintf(f, l); va_end(l); return n; }\n\
         int main(void) {\n  printf(\"%d %s\\n\", 42, \"is\"); puts(\"it\"); putchar('!'); fputs(\"?\", stdout);\n\
         \x20 fprintf(stderr, \"hidden\"); int n = say(\"<%c>\\n\", 'x'); fprintf(stdout, \"%d\", n); return 0;\n}\n",
    );
    let ran = folder.run(&["run", "a.c"]);
    assert_eq!(ran.out, "42 is\nit\n!?<x>\n4\nRun: FINISHED (`main` returns 0)\n", "{ran:?}");
    assert!(!ran.err.contains("hidden"), "{ran:?}");
}

/// What C leaves to the machine is what `--target` or the build says, and a build for another machine is not taken for one for this.
#[test]
fn a_machine_gives_c_its_sizes() {
    let dir = Folder::new("database-machine");
    let text = "void reach_error(void);\nenum e { A, B = 200 };\nstruct s { char c; long long d; };\n\
                int main(void) {\n    char c = -1;\n    if (c < 0 || sizeof(enum e) != 1 || sizeof(struct s) != 16 || sizeof(long) != 4)\n        \
                reach_error();\n    return 0;\n}\n";
    dir.file("a.c", text);
    for (target, code) in [("arm-none-eabi", 0), ("i686", 10), ("riscv32", 10), ("aarch64", 10)] {
        let ran = dir.run(&["check", "a.c", "--target", target]);
        assert_eq!(ran.code, Some(code), "{target}: {ran:?}");
    }
    let ran = dir.run(&["check", "a.c", "--target", "vax"]);
    assert!(ran.code == Some(1) && ran.err.contains("arm-none-eabi"), "{ran:?}");
    let ran = dir.run(&["check", "a.c", "--target", "aarch64", "--replay-compiled"]);
    assert!(ran.code == Some(1) && ran.err.contains("not on aarch64"), "{ran:?}");
    let database = |command: &str| {
        let text = format!(r#"[{{"directory": ".", "file": "a.c", "command": "{command}"}}]"#);
        dir.file("compile_commands.json", text);
    };
    database("arm-none-eabi-gcc -c a.c");
    let ran = dir.run(&["check", "a.c", "-p", "."]);
    assert!(ran.code == Some(2) && ran.err.contains("add --target arm-none-eabi"), "{ran:?}");
    dir.file("a.c", "void reach_error(void);\nint main(void) { char c = -1; if (c < 0) reach_error(); return 0; }\n");
    for (flag, code) in [("-funsigned-char", 0), ("-fsigned-char", 10), ("-O2", 10)] {
        database(&format!("cc {flag} -c a.c"));
        let ran = dir.run(&["check", "a.c", "-p", "."]);
        assert_eq!(ran.code, Some(code), "{flag}: {ran:?}");
    }
}
