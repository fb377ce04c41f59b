//! API tests: one case per error code.
