//! Reports for programs and pages.

pub mod json;
mod markdown;
mod sarif;
