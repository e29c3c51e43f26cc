//! The little of an operating system that the compiler may ask for. There are no files.

use crate::exceptions::table_entry;
use crate::host::{Env, exports, load, store, store_bytes};
use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};
use wasmi::{Error, Val};

/// Numbers of errors, as WASI has them.
const NOT_SUPPORTED: i32 = 52;
const NO_SEEK: i32 = 70;

const PAGE_BYTES: u64 = 1 << 16;
const MOST_MEMORY_BYTES: u64 = 1 << 31;

const ENVIRONMENT: [&str; 6] =
    ["USER=web_user", "LOGNAME=web_user", "PATH=/", "PWD=/", "HOME=/home/web_user", "LANG=C.UTF-8"];

pub fn abort(_: Env) -> Result<(), Error> {
    Err(Error::new("the compiler gave up"))
}

pub fn exit(_: Env, code: i32) -> Result<(), Error> {
    Err(Error::new(format!("the compiler ended with code {code}")))
}

/// Milliseconds since 1970.
pub fn date_now(_: Env) -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64() * 1e3).floor()
}

/// Milliseconds since any moment, always the same one.
pub fn now(env: Env) -> f64 {
    env.data().started.elapsed().as_secs_f64() * 1e3
}

pub fn now_is_monotonic(_: Env) -> i32 {
    1
}

pub fn memcpy_big(mut env: Env, to: i32, from: i32, count: i32) -> Result<(), Error> {
    let (to, from, count) = (to as u32 as usize, from as u32 as usize, count as u32 as usize);
    let memory = exports(&env)?.memory.data_mut(&mut env);
    if from.max(to) + count > memory.len() {
        return Err(Error::new("the compiler copies beyond its memory"));
    }
    memory.copy_within(from..from + count, to);
    Ok(())
}

/// Whether there is that much now. Somewhat more is taken, so that it is not asked for again at once.
pub fn resize_heap(mut env: Env, wanted: i32) -> Result<i32, Error> {
    let memory = exports(&env)?.memory;
    let (wanted, present) = (u64::from(wanted as u32), memory.data_size(&env) as u64);
    if wanted > MOST_MEMORY_BYTES {
        return Ok(0);
    }
    let pages = |bytes: u64| bytes.min(MOST_MEMORY_BYTES).saturating_sub(present).div_ceil(PAGE_BYTES);
    let generous = (present + present / 5).min(wanted + (96 << 20)).max(wanted);
    let grown = memory.grow(&mut env, pages(generous)).or_else(|_| memory.grow(&mut env, pages(wanted)));
    Ok(grown.is_ok().into())
}

pub fn environ_sizes_get(mut env: Env, count_at: i32, bytes_at: i32) -> Result<i32, Error> {
    let bytes: usize = ENVIRONMENT.iter().map(|text| text.len() + 1).sum();
    store(&mut env, count_at as u32, ENVIRONMENT.len() as u32)?;
    store(&mut env, bytes_at as u32, bytes as u32)?;
    Ok(0)
}

pub fn environ_get(mut env: Env, pointers_at: i32, texts_at: i32) -> Result<i32, Error> {
    let (mut pointer, mut text_at) = (pointers_at as u32, texts_at as u32);
    for text in ENVIRONMENT {
        store(&mut env, pointer, text_at)?;
        store_bytes(&mut env, text_at, text.as_bytes())?;
        store_bytes(&mut env, text_at + text.len() as u32, &[0])?;
        pointer += 4;
        text_at += text.len() as u32 + 1;
    }
    Ok(0)
}

/// Whatever it has to say beside its answer is no answer.
pub fn fd_write(mut env: Env, _: i32, parts_at: i32, parts: i32, written_at: i32) -> Result<i32, Error> {
    let mut written = 0;
    for part in 0..parts as u32 {
        let at = parts_at as u32 + 8 * part;
        let (start, length) = (load(&env, at)? as usize, load(&env, at + 4)?);
        let bytes = exports(&env)?.memory.data(&env).get(start..start + length as usize);
        let _ = std::io::stderr().write_all(bytes.unwrap_or_default());
        written += length;
    }
    store(&mut env, written_at as u32, written)?;
    Ok(0)
}

pub fn fd_close(_: Env, _: i32) -> i32 {
    NOT_SUPPORTED
}

pub fn fd_read(_: Env, _: i32, _: i32, _: i32, _: i32) -> i32 {
    NOT_SUPPORTED
}

pub fn fd_seek(_: Env, _: i32, _: i32, _: i32, _: i32, _: i32) -> i32 {
    NO_SEEK
}

/// Of the system calls on files, which do nothing in JavaScript either.
pub fn nothing_of_three(_: Env, _: i32, _: i32, _: i32) -> i32 {
    0
}

pub fn nothing_of_four(_: Env, _: i32, _: i32, _: i32, _: i32) -> i32 {
    0
}

pub fn second_result(env: Env) -> i32 {
    env.data().second_result
}

pub fn set_second_result(mut env: Env, value: i32) {
    env.data_mut().second_result = value;
}

pub fn strftime(_: Env, _: i32, _: i32, _: i32, _: i32, _: i32) -> Result<i32, Error> {
    Err(Error::new("the compiler wants to write a date, which it was never seen to do"))
}

/// Nobody sends it signals, but it may handle those that it sends itself.
pub fn signal(mut env: Env, handler: i32, number: i32) -> Result<(), Error> {
    table_entry(&env, handler as u32)?.call(&mut env, &[Val::I32(number)], &mut [])
}
