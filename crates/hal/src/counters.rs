//! Performance counters: their descriptions, and the store in which a HAL keeps their values.
//! Invariant: a value is read at most once.

/// Minimum profile level at which a value is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Level 1.
    Low,
    /// Level 2.
    Mid,
    /// Level 3.
    High,
    /// Never.
    Never,
}

impl Verbosity {
    /// Converts the interface's number. Values of an unknown level are never shown.
    #[must_use]
    pub const fn from_raw(raw: u32) -> Self {
        match raw {
            0 => Self::Low,
            1 => Self::Mid,
            2 => Self::High,
            _ => Self::Never,
        }
    }

    /// True if the value is shown at `level` (0 shows nothing, 3 shows everything).
    #[must_use]
    pub const fn shown_at(self, level: u32) -> bool {
        match self {
            Self::Low => level >= 1,
            Self::Mid => level >= 2,
            Self::High => level >= 3,
            Self::Never => false,
        }
    }
}

/// Unit of a counter, by the interface's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit(pub u32);

impl Unit {
    /// A count without a unit.
    pub const GENERIC: Self = Self(0);
    /// Nanoseconds.
    pub const NANOSECONDS: Self = Self(2);
    /// Bytes.
    pub const BYTES: Self = Self(3);
    /// Cycles.
    pub const CYCLES: Self = Self(10);

    /// Name of the unit; `generic` for an unknown number.
    #[must_use]
    pub fn name(self) -> &'static str {
        let names = muxcl_hal_abi::counter_unit::NAMES;
        usize::try_from(self.0).ok().and_then(|k| names.get(k)).copied().unwrap_or(names[0])
    }
}

/// Description of a performance counter. A counter has one or more values of 64 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterDescription {
    /// Identifier, unique on the device.
    pub id: u32,
    /// Short name, the column of a table: `retired_inst`.
    pub name: String,
    /// Description in words.
    pub description: String,
    /// Name of the thing that each value belongs to, such as a core.
    pub sub_value_name: String,
    /// Number of values, at least 1.
    pub values: u32,
    /// Unit of the values.
    pub unit: Unit,
    /// Level at which each value is shown.
    pub per_value: Verbosity,
    /// Level at which the total is shown.
    pub total: Verbosity,
}

/// The values of one counter, as a HAL keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterValues {
    id: u32,
    values: Vec<Option<u64>>,
}

impl CounterValues {
    /// Creates a counter with `count` unset values.
    #[must_use]
    pub fn new(id: u32, count: u32) -> Self {
        Self { id, values: vec![None; count as usize] }
    }

    /// The identifier of the counter.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// True if an unread value exists.
    #[must_use]
    pub fn has(&self, index: u32) -> bool {
        self.values.get(index as usize).is_some_and(Option::is_some)
    }

    /// Sets a value. An index out of range is ignored.
    pub fn set(&mut self, index: u32, value: u64) {
        if let Some(place) = self.values.get_mut(index as usize) {
            *place = Some(value);
        }
    }

    /// Takes the unread value with this index; `None` if there is none.
    pub fn take(&mut self, index: u32) -> Option<u64> {
        self.values.get_mut(index as usize)?.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_once() {
        let mut values = CounterValues::new(7, 2);
        values.set(1, 42);
        values.set(2, 1);
        assert!(values.has(1) && !values.has(0) && !values.has(2));
        assert_eq!((values.take(1), values.take(1), values.take(9)), (Some(42), None, None));
    }

    #[test]
    fn levels_and_units() {
        assert!(Verbosity::from_raw(0).shown_at(1) && !Verbosity::from_raw(0).shown_at(0));
        assert!(Verbosity::from_raw(2).shown_at(3) && !Verbosity::from_raw(2).shown_at(2));
        assert!(!Verbosity::from_raw(3).shown_at(3) && !Verbosity::from_raw(77).shown_at(3));
        assert_eq!((Unit::CYCLES.name(), Unit(99).name()), ("cycles", "generic"));
    }
}
