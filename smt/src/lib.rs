//! Solvers and the terms they are asked about.

pub mod solver;
pub mod store;
pub mod term;

/// The version of the libz3 this program runs with, such as `5.3.2`.
pub fn z3_version() -> String {
    let version = z3::full_version();
    let number = version.trim_start_matches("Z3 ").split_whitespace().next().unwrap_or(version);
    number.trim_end_matches(".0").to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_pinned_library_is_the_one_that_runs() {
        assert!(super::z3_version().starts_with("5.3.2"), "found {}", super::z3_version());
    }
}
