//! Re-checks a verdict without the engines that found it.
