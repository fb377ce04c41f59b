//! Loads relocatable ELF objects into this process, W^X.
