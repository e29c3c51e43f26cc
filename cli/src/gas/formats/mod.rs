//! Reports for programs and pages.

mod html;
pub mod json;
mod markdown;
mod sarif;
