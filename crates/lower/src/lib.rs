//! Typed C tree to IR: control flow, sequencing, places and guards.
