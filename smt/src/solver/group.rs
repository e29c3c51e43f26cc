//! A child and everything that it starts: apart from others from the beginning, gone together in the end.

use super::process::kill;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// Killed and reaped when dropped.
pub struct Group(Child);

impl Group {
    /// On Linux the kernel kills the child with the thread that starts it: that should be the one that waits for it.
    pub fn spawn(command: &mut Command) -> io::Result<Group> {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        // SAFETY: between fork and exec only this system call is made; it allocates nothing and takes no locks.
        unsafe {
            command.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            });
        }
        command.spawn().map(Group)
    }

    pub fn child(&mut self) -> &mut Child {
        &mut self.0
    }

    pub(super) fn pid(&self) -> Option<libc::pid_t> {
        libc::pid_t::try_from(self.0.id()).ok()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Not yet reaped, so the number is still the child's, and its group's.
        if let Some(pid) = self.pid() {
            kill(pid);
        }
        let _ = self.0.wait();
    }
}
