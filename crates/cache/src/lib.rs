//! The content-addressed disk cache of compile results.
