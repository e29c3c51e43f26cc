//! Calls in which C++ has something to catch or to clean up: the module makes them through the host, which tells it when
//! an exception came out.

use crate::exceptions::{Thrown, table_entry};
use crate::host::{Env, exported, exports};
use wasmi::{Error, Func, Val};

/// Calls within calls, each with frames of our own. Beyond that, our stack might not do.
const DEEPEST: usize = 50_000;

/// How one kind of `invoke_…` finds what it is to call.
#[derive(Clone, Copy)]
pub enum Callee {
    /// By its pointer.
    Table,
    /// By its pointer, through an export that puts 64 bits together from two halves.
    Through(&'static str),
}

impl Callee {
    /// By the signature in the name: `viji`.
    pub fn of(signature: &str) -> Option<Callee> {
        if !signature.contains('j') {
            return Some(Callee::Table);
        }
        exported(&format!("dynCall_{signature}")).map(Callee::Through)
    }

    fn function<'v>(self, env: &Env, args: &'v [Val]) -> Result<(Func, &'v [Val]), Error> {
        let none = || Error::new("the compiler calls nothing");
        match self {
            Callee::Table => {
                let (pointer, rest) = args.split_first().ok_or_else(none)?;
                Ok((table_entry(env, pointer.i32().ok_or_else(none)? as u32)?, rest))
            }
            Callee::Through(export) => {
                let found = env.get_export(export).and_then(|export| export.into_func());
                Ok((found.ok_or_else(none)?, args))
            }
        }
    }
}

pub fn invoke(env: &mut Env, callee: Callee, args: &[Val], results: &mut [Val]) -> Result<(), Error> {
    let exports = exports(env)?;
    let stack = exports.stack_save.call(&mut *env, ())?;
    if env.data().depth >= DEEPEST || (stack as u32) < env.data().stack_floor {
        return Err(Error::new("the source is nested too deeply for the compiler"));
    }
    let (function, args) = callee.function(env, args)?;
    env.data_mut().depth += 1;
    let outcome = function.call(&mut *env, args, results);
    env.data_mut().depth -= 1;
    match outcome {
        Err(error) if error.downcast_ref::<Thrown>().is_some() => {
            exports.stack_restore.call(&mut *env, stack)?;
            results.iter_mut().for_each(|result| *result = Val::default_for_ty(result.ty()));
            exports.set_threw.call(env, (1, 0))
        }
        outcome => outcome,
    }
}
