//! The program language: data, text form, validator, concrete interpreter.
