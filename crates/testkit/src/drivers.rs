//! Large C programs of the shape of device drivers, for measuring the analysis of pointers ([`program`]). They are valid C
//! and lower without anything unsupported, but are not meant to be run for long.
//!
//! - A *core* has doubly linked lists with `container_of`, an allocator that everybody uses, a history that remembers who
//!   did what, a register of all devices, which it walks, and work that is put off: a function with an untyped
//!   argument.
//! - A *class* is a kind of device: a structure around the core's one, and a table of operations. Ten modules have one.
//!   Operations of a class differ in their types from those of others, because a call through a pointer may run every
//!   function that fits.
//! - A *module* has a device, its operations in a constant table, and a chain of [`DEPTH`] functions that pass the device
//!   down, link buffers, call through the table, copy structures and read unions. Devices are also known outside.
//!
//! What grows with the program is the number of classes and of modules, and with them the sets of the core's pointers. With
//! [`Arrays::Nested`] a device contains arrays, whose elements the analysis cannot tell from other fields: then bytes of
//! pointers may be read as numbers, and all devices escape. With [`Arrays::Separate`] arrays are objects of their own.

use std::fmt::Write;

/// How deeply the functions of a module call each other.
pub const DEPTH: usize = 24;
/// Operations of a device.
const OPERATIONS: usize = 4;
/// Modules of a class.
const MODULES: usize = 10;

/// Where arrays that are indexed with variables lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrays {
    /// In the structures of devices.
    Nested,
    /// By themselves.
    Separate,
}

/// A program of about so many lines.
pub fn program(lines: usize, arrays: Arrays) -> String {
    let mut out = Text { text: CORE.to_owned(), arrays };
    let mut modules = 0;
    while out.text.lines().count() < lines || modules == 0 {
        let class = modules / MODULES;
        if modules % MODULES == 0 {
            out.class(class);
        }
        for _ in 0..5 {
            out.module(modules, class);
            modules += 1;
        }
    }
    out.line("int main(void) {");
    out.line("    int x = __VERIFIER_nondet_int();");
    out.line("    list_start(&register_of_devices);\n    list_start(&work_to_do);");
    for m in 0..modules {
        out.line(format!("    x = start_{m}(x);"));
    }
    out.line("    work();\n    suspend();");
    out.line("    if (x == 77 && history.count < 0) reach_error();\n    return 0;\n}");
    out.text
}

const CORE: &str = "\
extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void give_to_device(void *, int);
struct list { struct list *next, *prev; };
struct device { int state; int lock; struct list link; struct device *parent; void *own; };
struct work { struct list link; void (*run)(void *); void *data; };
struct record { struct device *who; int what; };
struct { int count; struct record ring[16]; } history;
struct list register_of_devices, work_to_do;
static void list_start(struct list *head) {
    head->next = head;
    head->prev = head;
}
static void list_insert(struct list *item, struct list *prev, struct list *next) {
    next->prev = item;
    item->next = next;
    item->prev = prev;
    prev->next = item;
}
static void list_add(struct list *item, struct list *head) {
    list_insert(item, head, head->next);
}
static void list_remove(struct list *item) {
    item->next->prev = item->prev;
    item->prev->next = item->next;
}
static void *get_memory(unsigned long n) {
    void *p = malloc(n);
    if (!p) for (;;) ;
    return p;
}
static void remember(struct device *who, int what) {
    struct record r;
    r.who = who;
    r.what = what;
    history.ring[history.count & 15] = r;
    history.count++;
}
static void put_off(struct work *w, void (*run)(void *), void *data) {
    w->run = run;
    w->data = data;
    list_add(&w->link, &work_to_do);
}
static void work(void) {
    struct list *l = work_to_do.next;
    while (l != &work_to_do) {
        struct work *w = (struct work *)((char *)l - __builtin_offsetof(struct work, link));
        list_remove(l);
        w->run(w->data);
        l = work_to_do.next;
    }
}
static void suspend(void) {
    struct list *l;
    for (l = register_of_devices.next; l != &register_of_devices; l = l->next) {
        struct device *d = (struct device *)((char *)l - __builtin_offsetof(struct device, link));
        if (d->parent) d->parent->state = 0;
        d->state = 0;
        remember(d, 1);
    }
}
";

struct Text {
    text: String,
    arrays: Arrays,
}

impl Text {
    fn line(&mut self, text: impl AsRef<str>) {
        writeln!(self.text, "{}", text.as_ref()).expect("texts can be written");
    }

    fn lines(&mut self, text: &str, names: &[(&str, String)]) {
        let mut text = text.to_owned();
        for (name, value) in names {
            text = text.replace(name, value);
        }
        self.line(text);
    }

    fn class(&mut self, class: usize) {
        let boxes = if self.arrays == Arrays::Nested { "box[4]" } else { "*box" };
        self.lines(CLASS, &[("CLASS", class.to_string()), ("TYPES", types(class)), ("BOXES", boxes.to_owned())]);
    }

    fn module(&mut self, m: usize, class: usize) {
        let nested = self.arrays == Arrays::Nested;
        let names = |k: usize| {
            let arguments = types(class).split(", ").skip(1).map(|t| format!(", ({t})x")).collect::<String>();
            let fields = ["head", "spare", "queue"];
            vec![
                ("CLASS", class.to_string()),
                ("PARAMETERS", parameters(class)),
                ("ARGUMENTS", arguments),
                ("PREVIOUS", (k.max(1) - 1).to_string()),
                ("FIELD", if nested { fields[k % fields.len()] } else { "queue" }.to_owned()),
                ("BUS", (m % MODULES).to_string()),
                ("LAST", (DEPTH - 1).to_string()),
                ("NUMBER", k.to_string()),
                ("PART", if nested { "x & 3" } else { "1" }.to_owned()),
                (
                    "FETCH",
                    if nested { "memcpy(registers_MODULE, b->data, 16)" } else { "registers_MODULE[0] = b->data[0]" }
                        .to_owned(),
                ),
                ("WORK", if nested { "d->later".to_owned() } else { format!("work_{m}") }),
                ("BYTE", if nested { "i" } else { "3" }.to_owned()),
                ("BOXES", if nested { "d->box[0].kind" } else { "d->box" }.to_owned()),
                ("EMPTY", if nested { "0".to_owned() } else { format!("boxes_{m}") }),
                ("MODULE", m.to_string()),
            ]
        };
        self.lines(DEVICE, &names(0));
        for k in 0..OPERATIONS {
            self.lines(OPERATION, &names(k));
        }
        self.lines(TABLE, &names(0));
        for k in 0..DEPTH {
            self.lines(if k == 0 { BOTTOM } else { [THROUGH_TABLE, LINK, COPY][k % 3] }, &names(k));
        }
        self.lines(START, &names(0));
    }
}

/// The types of a class's operations: those of no other.
fn types(class: usize) -> String {
    let (mut rest, mut all) = (class, String::from("struct device *"));
    loop {
        write!(all, ", {}", ["int", "long", "short", "char"][rest % 4]).expect("texts can be written");
        rest /= 4;
        if rest == 0 {
            return all;
        }
        rest -= 1;
    }
}

fn parameters(class: usize) -> String {
    types(class).split(", ").skip(1).enumerate().map(|(i, t)| format!(", {t} x{i}")).collect()
}

const CLASS: &str = "\
struct buffer_CLASS { int n; char data[16]; struct buffer_CLASS *next; struct device *owner; };
struct device_CLASS;
struct operations_CLASS { int (*run[4])(TYPES); const char *name; };
union word_CLASS { int whole; char part[4]; };
struct message_CLASS { int kind, length; struct buffer_CLASS *body; struct device *from; void *extra; };
struct bus_CLASS { struct list devices; struct device self; } buses_CLASS[10];
struct device_CLASS {
    const struct operations_CLASS *operations;
    struct device base;
    struct buffer_CLASS *head, *spare, *queue;
    struct message_CLASS BOXES;
    union word_CLASS word;
    struct work later;
};";

const DEVICE: &str = "\
static struct device_CLASS device_MODULE;
static char registers_MODULE[16];
static struct work work_MODULE;
static struct message_CLASS boxes_MODULE[4];
static void later_MODULE(void *data) {
    struct device_CLASS *d = data;
    struct buffer_CLASS *b = d->queue;
    while (b) {
        b->n = 0;
        b = b->next;
    }
    d->base.state = 3;
    remember(&d->base, 2);
}";

const OPERATION: &str = "\
static int operation_MODULE_NUMBER(struct device *base PARAMETERS) {
    struct device_CLASS *d = (struct device_CLASS *)((char *)base - __builtin_offsetof(struct device_CLASS, base));
    struct buffer_CLASS *b = d->FIELD;
    base->state = (int)x0 + NUMBER;
    if (b) {
        b->n = b->n + 1;
        b->owner = base;
    }
    d->word.whole = (int)x0;
    return d->word.part[NUMBER];
}";

const TABLE: &str = "\
static const struct operations_CLASS table_MODULE = {
    { operation_MODULE_0, operation_MODULE_1, operation_MODULE_2, operation_MODULE_3 },
    \"device MODULE\"
};";

const BOTTOM: &str = "\
static int down_MODULE_0(struct device_CLASS *d, struct buffer_CLASS **slot, int x) {
    struct buffer_CLASS *b = *slot;
    if (b) {
        FETCH;
        give_to_device(registers_MODULE, 16);
        b->owner = &d->base;
    }
    d->base.lock = 0;
    remember(&d->base, x);
    return x;
}";

const THROUGH_TABLE: &str = "\
static int down_MODULE_NUMBER(struct device_CLASS *d, struct buffer_CLASS **slot, int x) {
    struct buffer_CLASS *b = *slot;
    struct device *base = &d->base;
    int i, s = 0;
    if (!b) {
        b = malloc(sizeof(struct buffer_CLASS));
        if (!b) return 0;
        b->next = d->FIELD;
        b->owner = base;
        d->FIELD = b;
    }
    for (i = 0; i < 4; i++)
        s += b->data[BYTE];
    if (base->lock)
        return s;
    base->lock = 1;
    s += d->operations->run[x & 3](base ARGUMENTS);
    base->lock = 0;
    return down_MODULE_PREVIOUS(d, &b->next, s);
}";

const LINK: &str = "\
static int down_MODULE_NUMBER(struct device_CLASS *d, struct buffer_CLASS **slot, int x) {
    struct buffer_CLASS *b = d->FIELD, *last = 0;
    struct buffer_CLASS **end = &d->FIELD;
    int found = 0;
    while (b && b->n < x) {
        last = b;
        end = &b->next;
        b = b->next;
        found++;
    }
    if (last && found > 3) {
        last->next = b ? b->next : 0;
        *slot = last;
    }
    if (d->word.part[PART])
        d->word.whole = found;
    if (found > 7)
        return found;
    return down_MODULE_PREVIOUS(d, x ? end : slot, found);
}";

const COPY: &str = "\
static int down_MODULE_NUMBER(struct device_CLASS *d, struct buffer_CLASS **slot, int x) {
    struct message_CLASS m, *other;
    char copy[16];
    m.kind = x;
    m.length = 0;
    m.extra = 0;
    m.body = *slot;
    m.from = &d->base;
    d->box[x & 3] = m;
    other = &d->box[(x + 1) & 3];
    if (other->body) {
        memcpy(copy, other->body->data, 16);
        x += copy[3];
        other->body->n++;
    }
    if (other->from)
        other->from->state = x;
    if (x < 0)
        return x;
    return down_MODULE_PREVIOUS(d, &other->body, x);
}";

const START: &str = "\
static int start_MODULE(int x) {
    struct device_CLASS *d = &device_MODULE;
    struct bus_CLASS *bus = &buses_CLASS[BUS];
    struct buffer_CLASS *b = get_memory(sizeof(struct buffer_CLASS));
    d->operations = &table_MODULE;
    d->base.parent = &bus->self;
    d->base.own = d;
    BOXES = EMPTY;
    d->base.parent->state = x;
    b->n = 0;
    b->next = 0;
    b->owner = d->base.parent;
    d->spare = b;
    list_add(&d->base.link, &register_of_devices);
    put_off(&WORK, later_MODULE, d);
    return down_MODULE_LAST(d, &d->queue, x);
}";

#[cfg(test)]
mod tests {
    use super::*;
    use ir::cfg::AddressTaken;
    use pointsto::{Query, Regions};

    #[test]
    fn the_programs_are_followed_and_their_analysis_is_closed() {
        for (arrays, least_regions) in [(Arrays::Nested, 1), (Arrays::Separate, 50)] {
            let text = program(2000, arrays);
            let compiled = crate::compile::compile("drivers.c", &text, ir::DataModel::Lp64, &lower::Options::default());
            let program = compiled.unwrap_or_else(|e| panic!("{e}")).program;
            let mut edges = program.functions.iter().flat_map(|f| &f.body).flat_map(|b| &b.edges);
            assert!(!edges.any(|e| ir::calls::is_unsupported_construct(&e.op)), "{arrays:?}: all of it is followed");
            let taken = AddressTaken::new(&program);
            let solution = pointsto::analyze(&program, &taken);
            let regions = Regions::new(Query { program: &program, taken: &taken, solution: &solution });
            assert!(regions.all.len() > least_regions, "{arrays:?}: {} regions", regions.all.len());
            certify::check_points_to(&program, &solution, &regions).unwrap_or_else(|e| panic!("{arrays:?}: {e}"));
        }
    }
}
