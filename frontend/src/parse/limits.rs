//! Bounds that keep every later recursive pass (and the drop of the tree) inside its stack.

/// Brackets open at one place. The compiler itself stops near 1,200 nested expressions; people write below 30.
pub const MAX_BRACKETS: usize = 256;

/// Tree depth, over-estimated from operators, member accesses, calls and `else` links on the path to one place.
pub const MAX_DEPTH: u32 = 2048;

/// The parser copies what stands inside grouping parentheses once per pair; this bounds the bytes copied.
pub const MAX_GROUPED_BYTES: usize = 1 << 26;

/// Sources larger than this are refused before they are read. Spans hold 32-bit offsets.
pub const MAX_SOURCE_BYTES: u64 = 16 << 20;

/// Errors reported for one file; more help nobody.
pub const MAX_ERRORS: usize = 20;

/// Address space, not memory: pages are committed when touched. Leaves 256 KB for each level of [`MAX_DEPTH`].
const BIG_STACK: usize = 512 << 20;

/// Runs `f` with a stack that no program within the limits above can exhaust.
pub fn with_big_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    // A slot, because a failed spawn drops the closure it was given.
    let slot = std::sync::Mutex::new(Some(f));
    let run = || {
        let f = slot.lock().unwrap_or_else(|e| e.into_inner()).take();
        f.map(|f| f())
    };
    let spawned = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("hornet".into()).stack_size(BIG_STACK);
        builder.spawn_scoped(scope, run).ok().map(|handle| handle.join())
    });
    let result = match spawned {
        Some(Ok(result)) => result,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        // No thread to be had (an address-space limit, say): the caller's stack still serves ordinary input.
        None => run(),
    };
    result.unwrap_or_else(|| unreachable!("the closure is taken exactly once"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_recursion_fits() {
        fn down(n: u32) -> u64 {
            let pad = std::hint::black_box([n as u64; 256]);
            if n == 0 { pad[0] } else { down(n - 1) + std::hint::black_box(pad)[255] }
        }
        assert_eq!(with_big_stack(|| down(50_000)), 50_000 * 50_001 / 2);
    }
}
