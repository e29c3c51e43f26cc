// Shared by the build scripts of every package whose binaries or tests link libz3: a linker argument
// does not carry over from a dependency, so each final package has to give it.

/// Lets the loader find libz3 without environment variables: first beside the binary (a packaged
/// Hornet), then where set-up put it.
fn link_rpath(toolchain: &Path) {
    let lib = toolchain.join("z3/lib");
    let lib = lib.canonicalize().unwrap_or(lib);
    println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", lib.display());
}
