# What others say about the formats that hardbop writes; called by `cargo xtask schemas`.
import datetime
import json
import sys

import benchexec.benchexec
import benchexec.model
import jsonschema

kind, reference, *files = sys.argv[1:]

if kind == "sarif":
    with open(reference, encoding="utf-8") as f:
        schema = json.load(f)
    validator = jsonschema.validators.validator_for(schema)
    validator = validator(schema, format_checker=validator.FORMAT_CHECKER)
    for file in files:
        with open(file, encoding="utf-8") as f:
            document = json.load(f)
        for problem in validator.iter_errors(document):
            sys.exit(f"{file}: {problem.json_path}: {problem.message}")
        # A schema that accepts everything would say nothing.
        document["runs"][0]["results"] = [{"level": "loud"}]
        if validator.is_valid(document):
            sys.exit(f"{file}: the schema accepts what is no SARIF")
    print(f"the schema accepts {len(files)} documents")
elif kind == "benchexec":
    parser = benchexec.benchexec.BenchExec().create_argument_parser()
    config = parser.parse_args([files[0], "--no-container", "--tool-directory", reference])
    benchmark = benchexec.model.Benchmark(files[0], config, datetime.datetime.now().astimezone())
    runs = [run for run_set in benchmark.run_sets for run in run_set.runs]
    expected = [str(result.result) for run in runs for result in run.expected_results.values()]
    print(f"BenchExec sees {len(runs)} runs, {expected.count('True')} true, {expected.count('False')} false")
else:
    sys.exit(f"unknown: {kind}")
