//! Which function of the host is which import of the module.

use crate::exceptions as cxx;
use crate::host::{Env, Host};
use crate::invoke::{Callee, invoke};
use crate::{Broken, names, system};
use wasmi::{Engine, ExternType, FuncType, ImportType, Linker, Module, Val};

pub fn linker(engine: &Engine, module: &Module) -> Result<Linker<Host>, Broken> {
    let mut linker = Linker::new(engine);
    for import in module.imports() {
        let name = names::IMPORTS.iter().find(|(key, _)| *key == import.name()).map(|(_, name)| *name);
        let name = name.ok_or_else(|| Broken(format!("import `{}` has no name", import.name())))?;
        provide(&mut linker, &import, name)?;
    }
    Ok(linker)
}

fn provide(linker: &mut Linker<Host>, import: &ImportType, name: &str) -> Result<(), Broken> {
    let unknown = || Broken(format!("the compiler wants `{name}`, which is not known"));
    if let Some(signature) = name.strip_prefix("invoke_") {
        let callee = Callee::of(signature).ok_or_else(unknown)?;
        return provide_any(linker, import, move |mut env, args, results| {
            invoke(&mut env, callee, args, results)
        });
    }
    if name.starts_with("___cxa_find_matching_catch_") {
        return provide_any(linker, import, |mut env, args, results| {
            let found = cxx::find_matching_catch(&mut env, args)?;
            results.iter_mut().for_each(|result| *result = Val::I32(found));
            Ok(())
        });
    }
    let (module, key) = (import.module(), import.name());
    let provided = match name {
        "___cxa_allocate_exception" => linker.func_wrap(module, key, cxx::allocate),
        "___cxa_begin_catch" => linker.func_wrap(module, key, cxx::begin_catch),
        "___cxa_end_catch" => linker.func_wrap(module, key, cxx::end_catch),
        "___cxa_free_exception" => linker.func_wrap(module, key, cxx::free_exception),
        "___cxa_rethrow" => linker.func_wrap(module, key, cxx::rethrow),
        "___cxa_throw" => linker.func_wrap(module, key, cxx::throw),
        "___cxa_uncaught_exceptions" => linker.func_wrap(module, key, cxx::uncaught),
        "___resumeException" => linker.func_wrap(module, key, cxx::resume),
        "_llvm_eh_typeid_for" => linker.func_wrap(module, key, cxx::type_id),
        "_getTempRet0" => linker.func_wrap(module, key, system::second_result),
        "_setTempRet0" => linker.func_wrap(module, key, system::set_second_result),
        "_abort" => linker.func_wrap(module, key, system::abort),
        "_exit" | "_proc_exit" => linker.func_wrap(module, key, system::exit),
        "__emscripten_date_now" => linker.func_wrap(module, key, system::date_now),
        "_emscripten_get_now" => linker.func_wrap(module, key, system::now),
        "__emscripten_get_now_is_monotonic" => linker.func_wrap(module, key, system::now_is_monotonic),
        "_emscripten_memcpy_big" => linker.func_wrap(module, key, system::memcpy_big),
        "_emscripten_resize_heap" => linker.func_wrap(module, key, system::resize_heap),
        "_environ_get" => linker.func_wrap(module, key, system::environ_get),
        "_environ_sizes_get" => linker.func_wrap(module, key, system::environ_sizes_get),
        "_fd_close" => linker.func_wrap(module, key, system::fd_close),
        "_fd_read" => linker.func_wrap(module, key, system::fd_read),
        "_fd_seek" => linker.func_wrap(module, key, system::fd_seek),
        "_fd_write" => linker.func_wrap(module, key, system::fd_write),
        "___syscall_fcntl64" | "___syscall_ioctl" => linker.func_wrap(module, key, system::nothing_of_three),
        "___syscall_faccessat" | "___syscall_newfstatat" | "___syscall_openat" => {
            linker.func_wrap(module, key, system::nothing_of_four)
        }
        "_strftime_l" => linker.func_wrap(module, key, system::strftime),
        "___call_sighandler" => linker.func_wrap(module, key, system::signal),
        _ => return Err(unknown()),
    };
    provided.map(|_| ()).map_err(|e| Broken(e.to_string()))
}

/// For imports that come in many signatures.
fn provide_any(
    linker: &mut Linker<Host>,
    import: &ImportType,
    body: impl Fn(Env, &[Val], &mut [Val]) -> Result<(), wasmi::Error> + Send + Sync + 'static,
) -> Result<(), Broken> {
    let ExternType::Func(signature) = import.ty() else {
        return Err(Broken(format!("import `{}` is no function", import.name())));
    };
    let signature: FuncType = signature.clone();
    let provided = linker.func_new(import.module(), import.name(), signature, body);
    provided.map(|_| ()).map_err(|e| Broken(e.to_string()))
}
