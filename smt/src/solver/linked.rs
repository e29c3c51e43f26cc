//! The libz3 that is linked into this program, spoken to in SMT-LIB.

use std::ffi::{CStr, CString};

pub(super) struct Linked {
    context: z3_sys::Z3_context,
}

/// Sets one of Z3's parameters, for contexts made later.
pub(super) fn set(name: &str, value: &str) {
    z3::set_global_param(name, value);
}

impl Linked {
    pub(super) fn new(memory_mb: Option<u64>) -> Option<Linked> {
        if let Some(memory_mb) = memory_mb {
            set("memory_max_size", &memory_mb.to_string());
        }
        // SAFETY: the configuration is new, and deleted when it has been used. Errors are part of what is printed, so the
        // handler, which would end the process, is removed.
        let context = unsafe {
            let config = z3_sys::Z3_mk_config()?;
            let context = z3_sys::Z3_mk_context(config)?;
            z3_sys::Z3_del_config(config);
            z3_sys::Z3_set_error_handler(context, None);
            context
        };
        // Never deleted: whoever has one ends with it, and taking apart what Z3 has built takes time.
        Some(Linked { context })
    }

    /// What Z3 prints when it runs the commands. They may build on those of earlier calls.
    pub(super) fn run(&mut self, commands: &CStr) -> Option<CString> {
        // SAFETY: the context is used by this thread alone; the string that Z3 returns lives until the next call with it,
        // and is copied before.
        unsafe {
            let answer = z3_sys::Z3_eval_smtlib2_string(self.context, commands.as_ptr());
            (!answer.is_null()).then(|| CStr::from_ptr(answer).to_owned())
        }
    }

    /// Whether the last commands needed more memory than there is.
    pub(super) fn is_out_of_memory(&self) -> bool {
        // SAFETY: the context is alive.
        unsafe { z3_sys::Z3_get_error_code(self.context) == z3_sys::ErrorCode::MemoutFail }
    }
}
