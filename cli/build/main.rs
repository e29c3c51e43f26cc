//! Links what the program needs at run time: libz3 as a library of its own, found beside the program or where set-up put it;
//! or, with the feature `vendored`, Z3 and the C++ library inside the program.

#[cfg(feature = "vendored")]
mod cxx;

#[cfg(not(feature = "vendored"))]
#[path = "../../scripts/build-with-z3.rs"]
mod with_z3;

#[cfg(feature = "vendored")]
fn main() {
    println!("cargo::rerun-if-changed=build");
    match cxx::Library::of_compiler() {
        Ok(library) => library.link(),
        Err(problem) => println!("cargo::error=Z3 cannot be built from source: {problem}"),
    }
}

#[cfg(not(feature = "vendored"))]
fn main() {
    println!("cargo::rerun-if-changed=build");
    with_z3::main();
}
