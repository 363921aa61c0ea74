//! Tests of the text form.
