//! A Mux target with no compute device behind it, for tests and as the template of a new target.
