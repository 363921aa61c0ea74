//! C text to a resolved, typed tree; no input or output.
