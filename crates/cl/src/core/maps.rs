//! The maps that an application has made and not yet unmapped: of one memory object, or of the
//! shared virtual memory of a context.
//!
//! Invariant: a map stays in its table until an unmap call has succeeded. While that call runs, no
//! other unmap call takes the same map. Not here: the commands (`api::enqueue_map`, `api::svm`).

use muxcl_lock::{Mutex, Rank};

use crate::error::ClResult;

/// The maps of one object, in the order of the map calls.
#[derive(Debug)]
pub struct MapTable<T> {
    list: Mutex<MapList<T>>,
}

#[derive(Debug)]
struct MapList<T> {
    maps: Vec<Entry<T>>,
    /// The id of the next map.
    next_id: u64,
}

#[derive(Debug)]
struct Entry<T> {
    id: u64,
    /// An unmap call for this map is running.
    unmapping: bool,
    map: T,
}

impl<T> Default for MapTable<T> {
    fn default() -> Self {
        let list = MapList { maps: Vec::new(), next_id: 0 };
        Self { list: Mutex::new(Rank::MemObject, list) }
    }
}

impl<T: Clone> MapTable<T> {
    /// Adds a map if `check` accepts each existing one. An existing map counts until its unmap call
    /// has succeeded.
    ///
    /// # Errors
    /// The error of `check`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn add(&self, map: T, check: impl FnMut(&T) -> ClResult<()>) -> ClResult<()> {
        let mut list = self.list.lock();
        list.maps.iter().map(|entry| &entry.map).try_for_each(check)?;
        list.maps.try_reserve(1)?;
        let id = list.next_id;
        list.next_id += 1;
        list.maps.push(Entry { id, unmapping: false, map });
        Ok(())
    }

    /// Removes the maps for which `keep` is false and no unmap call is running.
    pub fn retain(&self, keep: impl Fn(&T) -> bool) {
        self.list.lock().maps.retain(|entry| entry.unmapping || keep(&entry.map));
    }

    /// Begins to unmap the latest map for which `wanted` is true. `None` without such a map, or if
    /// other calls are unmapping all of them.
    pub fn unmap(&self, wanted: impl Fn(&T) -> bool) -> Option<Unmapping<'_, T>> {
        let mut list = self.list.lock();
        let entry = list.maps.iter_mut().rev().find(|e| !e.unmapping && wanted(&e.map))?;
        entry.unmapping = true;
        Some(Unmapping { table: self, id: Some(entry.id), map: entry.map.clone() })
    }

    /// The number of maps.
    #[must_use]
    pub fn count(&self) -> usize {
        self.list.lock().maps.len()
    }

    /// True if `wanted` is true for some map.
    #[must_use]
    pub fn any(&self, wanted: impl Fn(&T) -> bool) -> bool {
        self.list.lock().maps.iter().any(|entry| wanted(&entry.map))
    }
}

/// An unmap call that is running. Dropping it keeps the map.
#[derive(Debug)]
#[must_use]
pub struct Unmapping<'a, T> {
    table: &'a MapTable<T>,
    /// The id of the map; `None` once the call has succeeded.
    id: Option<u64>,
    /// The map that the call removes if it succeeds.
    pub map: T,
}

impl<T> Unmapping<'_, T> {
    /// Removes the map, because the call has succeeded.
    pub fn done(mut self) {
        if let Some(id) = self.id.take() {
            self.table.list.lock().maps.retain(|entry| entry.id != id);
        }
    }
}

impl<T> Drop for Unmapping<'_, T> {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        let mut list = self.table.list.lock();
        if let Some(entry) = list.maps.iter_mut().find(|entry| entry.id == id) {
            entry.unmapping = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(maps: &[u32]) -> MapTable<u32> {
        let table = MapTable::default();
        for map in maps {
            table.add(*map, |_| Ok(())).unwrap();
        }
        table
    }

    #[test]
    fn a_failed_unmap_keeps_the_map() {
        let table = table(&[1, 2]);
        drop(table.unmap(|map| *map == 1).unwrap());
        assert_eq!(table.count(), 2);
        table.unmap(|map| *map == 1).unwrap().done();
        assert_eq!(table.count(), 1);
        assert!(table.unmap(|map| *map == 1).is_none(), "it is unmapped once");
    }

    /// Two maps with one pointer: each of two concurrent calls unmaps one of them.
    #[test]
    fn concurrent_calls_unmap_different_maps() {
        let table = table(&[10, 11]);
        let same_pointer = |map: &u32| *map / 10 == 1;
        let first = table.unmap(same_pointer).unwrap();
        let second = table.unmap(same_pointer).unwrap();
        assert_eq!((first.map, second.map), (11, 10), "the latest map first");
        assert!(table.unmap(same_pointer).is_none());
        drop(first);
        second.done();
        assert_eq!(table.unmap(same_pointer).unwrap().map, 11);
    }

    #[test]
    fn a_map_counts_while_it_is_being_unmapped() {
        let table = table(&[1]);
        let unmapping = table.unmap(|_| true).unwrap();
        let refuse = |_: &u32| Err(crate::error::ClError::INVALID_OPERATION);
        assert!(table.add(2, refuse).is_err());
        table.retain(|_| false);
        assert_eq!(table.count(), 1);
        unmapping.done();
        assert!(table.add(2, refuse).is_ok());
    }
}
