/*
 * The outside of a benchmark that is compiled: where its inputs come from when its label is established. The program's main is
 * renamed to benchmark_main.
 *
 * usage: PROGRAM all|random RUNS DRAWS FORK [ALPHABET]
 *
 * `all` goes through every sequence of inputs in order, like a counter whose digits are the values drawn; it ends by itself or after
 * RUNS runs. `random` makes RUNS runs. A run ends when main returns, when an assumption fails, or after DRAWS inputs. With FORK
 * each run has a process of its own, for programs whose variables keep their values from one run to the next.
 *
 * Last line: `runs N, complete`, `runs N`, or what failed. Exit code 3: an assertion; any other but 0: a sanitizer.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_DRAWS 4096

int benchmark_main(void);

static int enumerate;
static const char *alphabet;
static size_t letters;
static unsigned draws_allowed;
static unsigned long long seed;
static jmp_buf over;

/* The inputs of this run, and the number of values each has. */
static unsigned long long drawn[MOST_DRAWS], values[MOST_DRAWS];
static unsigned draws, known;

static unsigned long long next_random(void)
{
	seed += 0x9e3779b97f4a7c15ull;
	unsigned long long z = seed;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static unsigned long long random_value(unsigned bits)
{
	unsigned long long r = next_random(), all = bits == 64 ? ~0ull : (1ull << bits) - 1;

	if (letters && (r & 3) != 0)
		return (unsigned char)alphabet[(r >> 8) % letters] & all;
	switch ((r >> 2) & 7) {
	case 0:
		return (r >> 8) & all;
	case 1:
		return ((r >> 8) & 1 ? all >> 1 : all) - ((r >> 9) & 3);
	case 2:
		return (r >> 8) & 0xff & all;
	default:
		return (r >> 8) % 8 & all;
	}
}

static unsigned long long draw(unsigned bits)
{
	if (draws >= draws_allowed)
		longjmp(over, 1);
	if (!enumerate) {
		draws++;
		return random_value(bits);
	}
	if (draws == known) {
		drawn[known] = 0;
		values[known] = bits >= 63 ? ~0ull : 1ull << bits;
		known++;
	}
	return drawn[draws++];
}

/* The next sequence of inputs in order; 0 if there is none. */
static int advance(void)
{
	known = draws;
	while (known > 0) {
		if (++drawn[known - 1] < values[known - 1])
			return 1;
		known--;
	}
	return 0;
}

int __VERIFIER_nondet_int(void) { return (int)draw(32); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)draw(32); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)draw(8); }
char __VERIFIER_nondet_char(void) { return (char)draw(8); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)draw(16); }
_Bool __VERIFIER_nondet_bool(void) { return draw(1) & 1; }

void __VERIFIER_assume(int holds)
{
	if (!holds)
		longjmp(over, 1);
}

/* What `assert` calls. */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
	printf("assertion `%s` fails (%s:%u, %s)\n", text, file, line, function);
	fflush(stdout);
	_exit(3);
}

static void one_run(void)
{
	draws = 0;
	if (!setjmp(over))
		benchmark_main();
}

static void one_run_in_a_process(unsigned long n)
{
	int status = 0;

	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		one_run();
		_exit(0);
	}
	seed += 0x632be59bd9b4e019ull;
	if (child < 0 || waitpid(child, &status, 0) != child)
		abort();
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		printf("in run %lu\n", n);
		fflush(stdout);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 4);
	}
}

int main(int argc, char **argv)
{
	unsigned long runs, n;
	int separate;

	if (argc < 5)
		return 2;
	enumerate = strcmp(argv[1], "all") == 0;
	runs = strtoul(argv[2], 0, 10);
	draws_allowed = (unsigned)strtoul(argv[3], 0, 10);
	separate = atoi(argv[4]);
	alphabet = argc > 5 ? argv[5] : "";
	letters = strlen(alphabet);
	if (draws_allowed > MOST_DRAWS || (enumerate && separate))
		return 2;
	for (n = 0; n < runs; n++) {
		if (separate)
			one_run_in_a_process(n);
		else
			one_run();
		if (enumerate && !advance()) {
			printf("runs %lu, complete\n", n + 1);
			return 0;
		}
	}
	printf("runs %lu\n", runs);
	return 0;
}
