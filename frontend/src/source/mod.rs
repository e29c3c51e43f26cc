//! Source files: where they are found, how they import each other, and which language version they are in.

mod loader;
mod project;
mod remapping;
mod resolve;
mod version_req;

pub use loader::{LoadedSources, Loader};
pub use project::{LoadOptions, find_project_root};
pub use remapping::Remapping;
pub use version_req::{VersionReq, newest_matching};

#[cfg(test)]
mod tests;
