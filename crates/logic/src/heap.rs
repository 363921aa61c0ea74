//! The order of decisions: the most active variable first, ties by the smaller variable.
//!
//! Most variables of most questions were never in a conflict. Those are not in the heap but in a set of bits that is searched from
//! below, so that a question costs no more than a look at each of its variables.

/// See the module's documentation. A variable is in the heap at most once.
#[derive(Default)]
pub(crate) struct Heap {
    /// Variables without activity, and perhaps some that have got it since.
    idle: Vec<u64>,
    /// No variable in `idle` below this word is open.
    first_idle: usize,
    heap: Vec<u32>,
    /// Per variable: its place in the heap, or `OUT`.
    place: Vec<u32>,
    activity: Vec<f64>,
}

const OUT: u32 = u32::MAX;

impl Heap {
    /// Makes room for variables below `n`.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.idle.resize(n.div_ceil(64), 0);
        self.place.resize(n, OUT);
        self.activity.resize(n, 0.0);
    }

    pub(crate) fn clear(&mut self) {
        for v in self.heap.drain(..) {
            self.place[v as usize] = OUT;
        }
        self.idle.fill(0);
        self.first_idle = 0;
    }

    fn above(&self, a: u32, b: u32) -> bool {
        let (x, y) = (self.activity[a as usize], self.activity[b as usize]);
        x > y || (x == y && a < b)
    }

    /// Puts back a variable that was taken.
    pub(crate) fn insert(&mut self, v: usize) {
        if self.activity[v] == 0.0 {
            self.idle[v / 64] |= 1 << (v % 64);
            self.first_idle = self.first_idle.min(v / 64);
        } else if self.place[v] == OUT {
            self.heap.push(v as u32);
            self.up(self.heap.len() - 1);
        }
    }

    /// Adds a variable that is not there; [`Heap::arrange`] must follow.
    pub(crate) fn append(&mut self, v: usize) {
        if self.activity[v] == 0.0 {
            self.idle[v / 64] |= 1 << (v % 64);
        } else {
            self.place[v] = self.heap.len() as u32;
            self.heap.push(v as u32);
        }
    }

    /// Restores the order after [`Heap::append`].
    pub(crate) fn arrange(&mut self) {
        for i in (0..self.heap.len() / 2).rev() {
            self.down(i);
        }
    }

    /// Takes the first variable that is open.
    pub(crate) fn pop(&mut self, is_open: impl Fn(usize) -> bool) -> Option<usize> {
        while let Some(v) = self.pop_active() {
            if is_open(v) {
                return Some(v);
            }
        }
        while let Some(&word) = self.idle.get(self.first_idle) {
            let mut left = word;
            while left != 0 {
                let v = self.first_idle * 64 + left.trailing_zeros() as usize;
                if is_open(v) {
                    return Some(v);
                }
                left &= left - 1;
            }
            self.first_idle += 1;
        }
        None
    }

    fn pop_active(&mut self) -> Option<usize> {
        let top = *self.heap.first()?;
        let last = self.heap.pop().expect("there is a first");
        self.place[top as usize] = OUT;
        if top != last {
            self.heap[0] = last;
            self.down(0);
        }
        Some(top as usize)
    }

    /// Makes `v` more active.
    pub(crate) fn bump(&mut self, v: usize, by: f64) {
        self.activity[v] += by;
        if self.place[v] != OUT {
            self.up(self.place[v] as usize);
        }
    }

    /// Multiplies all activities. The order stays but for activities that become zero, and order is only a heuristic.
    pub(crate) fn rescale(&mut self, by: f64) {
        for a in &mut self.activity {
            *a *= by;
        }
    }

    fn up(&mut self, mut i: usize) {
        let v = self.heap[i];
        while i > 0 {
            let parent = (i - 1) / 2;
            if !self.above(v, self.heap[parent]) {
                break;
            }
            self.heap[i] = self.heap[parent];
            self.place[self.heap[i] as usize] = i as u32;
            i = parent;
        }
        self.heap[i] = v;
        self.place[v as usize] = i as u32;
    }

    fn down(&mut self, mut i: usize) {
        let v = self.heap[i];
        loop {
            let mut child = 2 * i + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.above(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.above(self.heap[child], v) {
                break;
            }
            self.heap[i] = self.heap[child];
            self.place[self.heap[i] as usize] = i as u32;
            i = child;
        }
        self.heap[i] = v;
        self.place[v as usize] = i as u32;
    }
}
