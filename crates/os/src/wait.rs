//! Waits for descriptors. Not here: channels, which have a wait of their own.

use std::os::fd::BorrowedFd;

use rustix::event::{PollFd, PollFlags, poll};

/// Waits until one of the descriptors has something to read or is closed by its other end. Returns
/// true for each such descriptor; for none if a signal or an error of the system ended the wait.
#[must_use]
pub fn wait_readable<const N: usize>(descriptors: [BorrowedFd<'_>; N]) -> [bool; N] {
    let mut fds = descriptors.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
    if poll(&mut fds, None).is_err() {
        return [false; N];
    }
    fds.map(|fd| !fd.revents().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wake;
    use std::os::fd::AsFd;

    #[test]
    fn the_descriptors_with_something_to_read_are_found() {
        let (a, b) = (Wake::new().unwrap(), Wake::new().unwrap());
        b.wake();
        assert_eq!(wait_readable([a.as_fd(), b.as_fd()]), [false, true]);
        a.wake();
        b.clear();
        assert_eq!(wait_readable([a.as_fd(), b.as_fd()]), [true, false]);
    }
}
