# Tool-info module of hardbop for BenchExec.
#
# SPDX-License-Identifier: MIT OR Apache-2.0

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """hardbop: predicate abstraction with refinement for C, with checked verdicts."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("hardbop", subdir="bin")

    def name(self):
        return "hardbop"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="hardbop")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--svcomp", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and "data_model" in task.options:
            command += ["--data-model", task.options["data_model"]]
        # hardbop keeps its own limits, a little below those of the benchmark, so that it can say what it was doing.
        if rlimits.cputime:
            command += ["--timeout", f"{max(1, int(rlimits.cputime * 95 / 100))}s"]
        if rlimits.memory:
            command += ["--memory", f"{max(1 << 20, int(rlimits.memory * 9 / 10))}"]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        prefix = "SV-COMP verdict: "
        for line in reversed(run.output):
            if line.startswith(prefix):
                verdict = line[len(prefix):].strip()
                if verdict in ("true", "unknown"):
                    return {"true": result.RESULT_TRUE_PROP, "unknown": result.RESULT_UNKNOWN}[verdict]
                return verdict
        if run.was_timeout:
            return "TIMEOUT"
        return result.RESULT_ERROR
