//! C++ exceptions as emscripten has them: the memory before a thrown object says what it is, the host remembers which
//! ones are on their way, and the module asks which of its handlers is meant.

use crate::host::{Env, exports, load, store, store_bytes};
use std::fmt;
use wasmi::{Error, Func, Val};

/// Ends the calls of the module up to the next one that was made through [`crate::invoke`].
#[derive(Debug)]
pub struct Thrown;

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a C++ exception that nothing catches")
    }
}

impl wasmi::errors::HostError for Thrown {}

fn thrown<T>() -> Result<T, Error> {
    Err(Error::host(Thrown))
}

#[derive(Default)]
pub struct Exceptions {
    /// The objects whose handlers run.
    caught: Vec<Object>,
    /// The one on its way.
    last: Option<Object>,
    uncaught: i32,
}

/// The address of a thrown object.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Object(u32);

/// What stands before it.
const HEADER_BYTES: u32 = 24;
const REFERENCES: u32 = 0;
const TYPE: u32 = 4;
const DESTRUCTOR: u32 = 8;
const CAUGHT: u32 = 12;
const RETHROWN: u32 = 13;
const ADJUSTED: u32 = 16;

impl Object {
    /// Null is none.
    fn at(address: i32) -> Option<Object> {
        (address != 0).then_some(Object(address as u32))
    }

    fn field(self, offset: u32) -> u32 {
        self.0.wrapping_sub(HEADER_BYTES).wrapping_add(offset)
    }

    fn get(self, env: &Env, offset: u32) -> Result<u32, Error> {
        load(env, self.field(offset))
    }

    fn set(self, env: &mut Env, offset: u32, value: u32) -> Result<(), Error> {
        store(env, self.field(offset), value)
    }

    fn flag(self, env: &Env, offset: u32) -> Result<bool, Error> {
        Ok(self.get(env, offset)? & 0xff != 0)
    }

    fn set_flag(self, env: &mut Env, offset: u32, value: bool) -> Result<(), Error> {
        store_bytes(env, self.field(offset), &[value.into()])
    }

    /// What a handler gets: the object, or the part of it that it asked for, or what a thrown pointer points to.
    fn as_caught(self, env: &mut Env) -> Result<i32, Error> {
        let its_type = self.get(env, TYPE)? as i32;
        if exports(env)?.is_pointer_type.call(&mut *env, its_type)? != 0 {
            return Ok(load(env, self.0)? as i32);
        }
        let adjusted = self.get(env, ADJUSTED)?;
        Ok(if adjusted != 0 { adjusted } else { self.0 } as i32)
    }

    fn release(self, env: &mut Env) -> Result<(), Error> {
        let before = self.get(env, REFERENCES)?;
        self.set(env, REFERENCES, before.wrapping_sub(1))?;
        if before != 1 || self.flag(env, RETHROWN)? {
            return Ok(());
        }
        let destructor = self.get(env, DESTRUCTOR)?;
        if destructor != 0 {
            let destructor = table_entry(env, destructor)?;
            destructor.call(&mut *env, &[Val::I32(self.0 as i32)], &mut [Val::I32(0)])?;
        }
        free(env, self.0 as i32)
    }
}

/// A function by its pointer.
pub fn table_entry(env: &Env, pointer: u32) -> Result<Func, Error> {
    let entry = exports(env)?.table.get(env, pointer.into());
    let func = entry.and_then(|entry| entry.as_func()?.val().copied().copied());
    func.ok_or_else(|| Error::new("the compiler calls a pointer to no function"))
}

pub fn allocate(mut env: Env, size: i32) -> Result<i32, Error> {
    let header = HEADER_BYTES as i32;
    Ok(exports(&env)?.malloc.call(&mut env, size.wrapping_add(header))?.wrapping_add(header))
}

pub fn free_exception(mut env: Env, object: i32) -> Result<(), Error> {
    free(&mut env, object)
}

fn free(env: &mut Env, object: i32) -> Result<(), Error> {
    exports(env)?.free.call(env, object.wrapping_sub(HEADER_BYTES as i32))
}

pub fn throw(mut env: Env, object: i32, its_type: i32, destructor: i32) -> Result<(), Error> {
    let object = Object(object as u32);
    object.set(&mut env, ADJUSTED, 0)?;
    object.set(&mut env, TYPE, its_type as u32)?;
    object.set(&mut env, DESTRUCTOR, destructor as u32)?;
    object.set(&mut env, REFERENCES, 0)?;
    object.set_flag(&mut env, CAUGHT, false)?;
    object.set_flag(&mut env, RETHROWN, false)?;
    let state = &mut env.data_mut().exceptions;
    state.last = Some(object);
    state.uncaught += 1;
    thrown()
}

pub fn rethrow(mut env: Env) -> Result<(), Error> {
    let Some(object) = env.data_mut().exceptions.caught.pop() else {
        return Err(Error::new("the compiler has no exception to throw"));
    };
    if !object.flag(&env, RETHROWN)? {
        object.set_flag(&mut env, RETHROWN, true)?;
        object.set_flag(&mut env, CAUGHT, false)?;
        let state = &mut env.data_mut().exceptions;
        state.caught.push(object);
        state.uncaught += 1;
    }
    env.data_mut().exceptions.last = Some(object);
    thrown()
}

/// After cleaning up.
pub fn resume(mut env: Env, object: i32) -> Result<(), Error> {
    let last = &mut env.data_mut().exceptions.last;
    *last = last.or(Object::at(object));
    thrown()
}

pub fn begin_catch(mut env: Env, object: i32) -> Result<i32, Error> {
    let object = Object(object as u32);
    if !object.flag(&env, CAUGHT)? {
        object.set_flag(&mut env, CAUGHT, true)?;
        env.data_mut().exceptions.uncaught -= 1;
    }
    object.set_flag(&mut env, RETHROWN, false)?;
    env.data_mut().exceptions.caught.push(object);
    let references = object.get(&env, REFERENCES)?;
    object.set(&mut env, REFERENCES, references.wrapping_add(1))?;
    object.as_caught(&mut env)
}

pub fn end_catch(mut env: Env) -> Result<(), Error> {
    exports(&env)?.set_threw.call(&mut env, (0, 0))?;
    let Some(object) = env.data_mut().exceptions.caught.pop() else {
        return Err(Error::new("the compiler ends a handler that does not run"));
    };
    object.release(&mut env)?;
    env.data_mut().exceptions.last = None;
    Ok(())
}

pub fn uncaught(env: Env) -> i32 {
    env.data().exceptions.uncaught
}

/// The types of the handlers around, each its own number.
pub fn type_id(_: Env, its_type: i32) -> i32 {
    its_type
}

/// The object on its way, and beside it the type of the handler that is meant, or else its own type.
pub fn find_matching_catch(env: &mut Env, handlers: &[Val]) -> Result<i32, Error> {
    let Some(object) = env.data().exceptions.last else {
        env.data_mut().second_result = 0;
        return Ok(0);
    };
    object.set(env, ADJUSTED, object.0)?;
    let its_type = object.get(env, TYPE)? as i32;
    env.data_mut().second_result = its_type;
    if its_type == 0 {
        return Ok(object.0 as i32);
    }
    for handler in handlers.iter().filter_map(Val::i32) {
        if handler == 0 || handler == its_type {
            break;
        }
        let question = (handler, its_type, object.field(ADJUSTED) as i32);
        if exports(env)?.can_catch.call(&mut *env, question)? != 0 {
            env.data_mut().second_result = handler;
            break;
        }
    }
    Ok(object.0 as i32)
}
