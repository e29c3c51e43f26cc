//! What is remembered between calls of the module, and how its memory and functions are reached.

use crate::Broken;
use crate::exceptions::Exceptions;
use crate::names;
use std::time::Instant;
use wasmi::{Caller, Error, Instance, Memory, Module, Store, Table, TypedFunc, WasmParams, WasmResults};

pub type Env<'a> = Caller<'a, Host>;

pub struct Host {
    exports: Option<Exports>,
    pub exceptions: Exceptions,
    /// The upper half of a result of 64 bits, and whatever else is returned beside a result.
    pub second_result: i32,
    /// How many calls by the module through us are open.
    pub depth: usize,
    /// Where the module's stack, which grows downwards, has taken half of its room. Beyond its end are variables.
    pub stack_floor: u32,
    pub started: Instant,
}

impl Default for Host {
    fn default() -> Host {
        let exceptions = Exceptions::default();
        Host {
            exports: None,
            exceptions,
            second_result: 0,
            depth: 0,
            stack_floor: 0,
            started: Instant::now(),
        }
    }
}

/// What the glue calls on its own account.
#[derive(Clone, Copy)]
pub struct Exports {
    pub memory: Memory,
    pub table: Table,
    pub malloc: TypedFunc<i32, i32>,
    pub free: TypedFunc<i32, ()>,
    pub stack_save: TypedFunc<(), i32>,
    pub stack_restore: TypedFunc<i32, ()>,
    pub set_threw: TypedFunc<(i32, i32), ()>,
    pub can_catch: TypedFunc<(i32, i32, i32), i32>,
    pub is_pointer_type: TypedFunc<i32, i32>,
}

impl Exports {
    pub fn of(store: &Store<Host>, module: &Module, instance: Instance) -> Result<Exports, Broken> {
        let missing = |what: &str| Broken(format!("the compiler exports no {what}"));
        let mut all = module.exports().filter_map(|export| instance.get_export(store, export.name()));
        let (mut memory, mut table) = (None, None);
        for export in &mut all {
            memory = memory.or(export.into_memory());
            table = table.or(export.into_table());
        }
        Ok(Exports {
            memory: memory.ok_or_else(|| missing("memory"))?,
            table: table.ok_or_else(|| missing("table"))?,
            malloc: function(store, instance, "_malloc")?,
            free: function(store, instance, "_free")?,
            stack_save: function(store, instance, "stackSave")?,
            stack_restore: function(store, instance, "stackRestore")?,
            set_threw: function(store, instance, "_setThrew")?,
            can_catch: function(store, instance, "___cxa_can_catch")?,
            is_pointer_type: function(store, instance, "___cxa_is_pointer_type")?,
        })
    }
}

/// The middle of the stack: it begins after the variables, the last of which that is not zero shows up in fresh memory.
pub fn stack_floor(store: &mut Store<Host>, exports: Exports) -> Result<u32, Broken> {
    let top = exports.stack_save.call(&mut *store, ())? as u32;
    let below = exports.memory.data(&*store).get(..top as usize).unwrap_or_default();
    let bottom = below.iter().rposition(|byte| *byte != 0).unwrap_or(0);
    Ok(bottom as u32 + (top - bottom as u32) / 2)
}

/// An exported function by the name that the glue has for it.
pub fn function<P: WasmParams, R: WasmResults>(
    store: &Store<Host>,
    instance: Instance,
    name: &str,
) -> Result<TypedFunc<P, R>, Broken> {
    let key = exported(name).ok_or_else(|| Broken(format!("the compiler exports no `{name}`")))?;
    Ok(instance.get_typed_func(store, key)?)
}

/// What the module calls an export.
pub fn exported(name: &str) -> Option<&'static str> {
    names::EXPORTS.iter().find(|(known, _)| *known == name).map(|(_, key)| *key)
}

impl Host {
    pub fn provide(&mut self, exports: Exports, stack_floor: u32) {
        self.exports = Some(exports);
        self.stack_floor = stack_floor;
    }
}

pub fn exports(env: &Env) -> Result<Exports, Error> {
    env.data().exports.ok_or_else(|| Error::new("the compiler calls before it is there"))
}

pub fn load(env: &Env, at: u32) -> Result<u32, Error> {
    let mut bytes = [0; 4];
    exports(env)?.memory.read(env, at as usize, &mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

pub fn store(env: &mut Env, at: u32, value: u32) -> Result<(), Error> {
    store_bytes(env, at, &value.to_le_bytes())
}

pub fn store_bytes(env: &mut Env, at: u32, bytes: &[u8]) -> Result<(), Error> {
    Ok(exports(env)?.memory.write(env, at as usize, bytes)?)
}
