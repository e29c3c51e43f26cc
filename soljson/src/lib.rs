//! The Solidity compiler itself, as its makers publish it for JavaScript: a WebAssembly module, which an interpreter runs
//! here. What JavaScript supplies there (C++ exceptions, a little of an operating system) is supplied by this crate.

mod exceptions;
mod host;
mod invoke;
mod link;
mod system;
mod worker;

/// What the build took from the compiler's JavaScript.
mod names {
    include!(concat!(env!("OUT_DIR"), "/names.rs"));
    pub const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/packed.bin"));
}

pub use names::VERSION;
pub use worker::{WORKER_ARGUMENT, worker_if_asked};

use host::{Exports, Host};
use std::fmt;
use wasmi::{CompilationMode, Config, Engine, Memory, Module, Store, TypedFunc};

/// The compiler ended otherwise than with an answer. Its memory is then in doubt.
#[derive(Debug)]
pub struct Broken(String);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

impl From<wasmi::Error> for Broken {
    fn from(error: wasmi::Error) -> Broken {
        Broken(error.to_string())
    }
}

/// A compiler in memory. Wants to be run on a thread with [`STACK_BYTES`] of stack.
pub struct Solc {
    store: Store<Host>,
    memory: Memory,
    alloc: TypedFunc<i32, i32>,
    compile: TypedFunc<(i32, i32, i32), i32>,
    reset: TypedFunc<(), ()>,
    version: TypedFunc<(), i32>,
}

/// Every C++ frame with something to clean up is a call of ours within a call of ours.
pub const STACK_BYTES: usize = 1 << 30;

impl Solc {
    pub fn load() -> Result<Solc, Broken> {
        let engine = Engine::new(&config());
        let module = Module::new(&engine, unpack()?)?;
        let mut store = Store::new(&engine, Host::default());
        let instance = link::linker(&engine, &module)?.instantiate_and_start(&mut store, &module)?;
        let exports = Exports::of(&store, &module, instance)?;
        let stack_floor = host::stack_floor(&mut store, exports)?;
        store.data_mut().provide(exports, stack_floor);
        host::function::<(), ()>(&store, instance, "___wasm_call_ctors")?.call(&mut store, ())?;
        Ok(Solc {
            memory: exports.memory,
            alloc: host::function(&store, instance, "_solidity_alloc")?,
            compile: host::function(&store, instance, "_solidity_compile")?,
            reset: host::function(&store, instance, "_solidity_reset")?,
            version: host::function(&store, instance, "_solidity_version")?,
            store,
        })
    }

    /// As solc says it: `0.8.37+commit.…`.
    pub fn version(&mut self) -> Result<String, Broken> {
        let at = self.version.call(&mut self.store, ())?;
        self.text(at)
    }

    /// The answer to a request in standard JSON. Files that the request does not hold are not there.
    pub fn compile(&mut self, request: &str) -> Result<String, Broken> {
        let bytes = request.as_bytes();
        let too_long = |_| Broken("the request is too long".to_owned());
        let input = self.alloc.call(&mut self.store, i32::try_from(bytes.len() + 1).map_err(too_long)?)?;
        let at = input as u32 as usize;
        self.memory.write(&mut self.store, at, bytes).map_err(wasmi::Error::from)?;
        self.memory.write(&mut self.store, at + bytes.len(), &[0]).map_err(wasmi::Error::from)?;
        let answer = self.compile.call(&mut self.store, (input, 0, 0))?;
        let answer = self.text(answer);
        self.reset.call(&mut self.store, ())?;
        answer
    }

    fn text(&self, at: i32) -> Result<String, Broken> {
        let bytes = self.memory.data(&self.store).get(at as u32 as usize..).unwrap_or_default();
        let end = bytes.iter().position(|byte| *byte == 0);
        let text = end.map(|end| String::from_utf8_lossy(&bytes[..end]).into_owned());
        text.ok_or_else(|| Broken("the answer has no end".to_owned()))
    }
}

fn config() -> Config {
    let mut config = Config::default();
    // Most of a compiler is never run: its functions are looked at when they are called.
    config.compilation_mode(CompilationMode::Lazy);
    // These hold for one call of ours; calls within it have their own. For all of them together, see `invoke`.
    config.set_max_recursion_depth(5_000).set_max_stack_height(16 << 20).set_max_cached_stacks(1024);
    config
}

fn unpack() -> Result<Vec<u8>, Broken> {
    let broken = || Broken("the built-in compiler is damaged".to_owned());
    let mut module = vec![0; names::UNPACKED_BYTES];
    let (mut rest, mut filled) = (names::PACKED, 0);
    // A block of no length is the end.
    while let Some((length, after)) = rest.split_first_chunk().filter(|(length, _)| **length != [0; 4]) {
        let (block, after) =
            after.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(broken)?;
        filled += lz4_flex::block::decompress_into(block, &mut module[filled..]).map_err(|_| broken())?;
        rest = after;
    }
    if filled == module.len() { Ok(module) } else { Err(broken()) }
}
