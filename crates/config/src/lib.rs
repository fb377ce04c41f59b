//! The only reader of the environment: every MUXCL_* and CA_* variable, documented in docs/env.md.
