//! `hornet run`: deploys a contract and makes calls, on the interpreter and, if asked, on the EVM beside it.

mod describe;
mod literal;
mod machine;
mod table;
pub mod value;

use crate::Exit;
use crate::args::RunArgs;
use crate::input::{Loaded, among, load, main_contract};
use describe::Describer;
use hornet_ir::U256;
use hornet_ir::ids::{ContractId, ProcId, TypeId};
use hornet_ir::program::{Entry, Program};
use literal::{CallText, Literal, parse_call, parse_literal};
use machine::{Answer, Deployment, End, Evm, Interp, Machine};
use table::{Row, Table};
use value::{Names, abi_type, encode};

pub fn run(args: &RunArgs) -> Exit {
    let Some(loaded) = load(&args.sources) else { return Exit::BadInput };
    match Session::start(args, &loaded).and_then(Session::finish) {
        Ok(exit) => exit,
        Err(message) => {
            eprintln!("error: {message}");
            Exit::BadInput
        }
    }
}

/// One transaction to make, ready for a machine.
struct Transaction {
    from: U256,
    value: U256,
    data: Vec<u8>,
    rets: Vec<TypeId>,
}

struct Session<'a> {
    program: &'a Program,
    contract: ContractId,
    calls: Vec<(String, CallText)>,
    constructor: Option<(String, CallText)>,
    default_from: U256,
    default_value: U256,
    names: Names,
    interp: Interp<'a>,
    evm: Option<Evm<'a>>,
    describer: Describer<'a>,
    table: Table,
    unsupported: bool,
}

impl<'a> Session<'a> {
    fn start(args: &RunArgs, loaded: &'a Loaded) -> Result<Session<'a>, String> {
        let program = &loaded.program;
        let contract = main_contract(loaded, args.contract.as_deref())?;
        let mut calls: Vec<(String, CallText)> = args
            .calls
            .iter()
            .map(|text| Ok((text.clone(), parse_call(text)?)))
            .collect::<Result<_, String>>()?;
        let constructor = match calls.first() {
            Some((_, call)) if call.function == "constructor" => Some(calls.remove(0)),
            _ => None,
        };
        let names = Names::with_accounts();
        let default_from = names.address(&parse_literal(&args.from)?).map_err(|e| format!("--from: {e}"))?;
        let default_value = amount(&parse_literal(&args.value)?).map_err(|e| format!("--value: {e}"))?;
        let evm = match args.evm {
            true => Some(Evm::new(program, &loaded.sources, &loaded.remappings)?),
            false => None,
        };
        let order = evm.as_ref().map(|e| e.library_order.clone()).unwrap_or_default();
        let title = &program.contracts[contract];
        let compiler = evm.as_ref().map(|e| format!("{} on revm", e.compiler()));
        let table = Table::new(&title.name, &title.file, compiler);
        Ok(Session {
            program,
            contract,
            calls,
            constructor,
            default_from,
            default_value,
            names,
            interp: Interp::new(program, &order),
            evm,
            describer: Describer { program, sources: &loaded.sources },
            table,
            unsupported: false,
        })
    }

    fn finish(mut self) -> Result<Exit, String> {
        // All mistakes in calls are found before anything runs, except names that only deployment gives.
        for address in self.names.addresses().chain([self.default_from]).collect::<Vec<_>>() {
            self.fund(address);
        }
        let Some(address) = self.deploy()? else { return Ok(self.end()) };
        for (text, call) in std::mem::take(&mut self.calls) {
            let transaction = self.transaction(&call).map_err(|e| format!("`{text}`: {e}"))?;
            self.fund(transaction.from);
            let Transaction { from, value, data, rets } = transaction;
            let ours = self.interp.call(address, from, value, &data);
            let theirs = self.evm.as_mut().map(|evm| evm.call(address, from, value, &data));
            self.row(&text, from, value, &rets, ours, theirs, address);
        }
        Ok(self.end())
    }

    fn end(&self) -> Exit {
        self.table.print();
        match (self.table.differs(), self.unsupported) {
            (true, _) => Exit::Found,
            (false, true) => Exit::Unknown,
            (false, false) => Exit::Ok,
        }
    }

    fn fund(&mut self, account: U256) {
        self.interp.fund(account);
        if let Some(evm) = &mut self.evm {
            evm.fund(account);
        }
    }

    /// The address, unless deployment failed (which the table then shows).
    fn deploy(&mut self) -> Result<Option<U256>, String> {
        let (text, call) = self.constructor.take().unwrap_or_else(|| {
            let call =
                CallText { function: "constructor".to_owned(), args: Vec::new(), from: None, value: None };
            ("constructor()".to_owned(), call)
        });
        let proc = self.program.contracts[self.contract].constructor;
        let tys = proc.map(|p| self.params(p)).unwrap_or_default();
        let args = encode(self.program, &tys, &call.args, &self.names).map_err(|e| {
            let hint = "; give arguments by --call 'constructor(…)' before the other calls";
            format!("`{text}`: {e}{}", if call.args.is_empty() { hint } else { "" })
        })?;
        let from = self.sender(&call)?;
        let value = call.value.as_ref().map_or(Ok(U256::ZERO), amount)?;
        self.fund(from);
        let deployment = Deployment { contract: self.contract, args: &args };
        let ours = self.interp.deploy(&deployment, from, value)?;
        let theirs = match &mut self.evm {
            Some(evm) => Some(evm.deploy(&deployment, from, value)?),
            None => None,
        };
        let created = ours.created;
        if let Some(address) = created {
            self.names.add(&self.program.contracts[self.contract].name, address);
        }
        self.row(&text, from, value, &[], ours, theirs, created.unwrap_or_default());
        Ok(created)
    }

    fn params(&self, proc: ProcId) -> Vec<TypeId> {
        parameter_types(self.program, proc)
    }

    fn sender(&self, call: &CallText) -> Result<U256, String> {
        match &call.from {
            Some(literal) => self.names.address(literal).map_err(|e| format!("from: {e}")),
            None => Ok(self.default_from),
        }
    }

    fn transaction(&self, call: &CallText) -> Result<Transaction, String> {
        let from = self.sender(call)?;
        let given = call.value.as_ref().map(amount).transpose()?;
        if let Some(data) = raw_data(call)? {
            let value = given.unwrap_or(self.default_value);
            return Ok(Transaction { from, value, data, rets: Vec::new() });
        }
        let (entry, mut encoded) = self.resolve(call)?;
        let mut data = entry.selector.to_vec();
        data.append(&mut encoded);
        let value = given.unwrap_or(if entry.payable { self.default_value } else { U256::ZERO });
        let rets = &self.program.procs[entry.proc].rets;
        let rets = rets.iter().map(|t| abi_type(self.program, *t)).collect();
        Ok(Transaction { from, value, data, rets })
    }

    /// The function of that name that takes these arguments, and the arguments encoded for it.
    fn resolve(&self, call: &CallText) -> Result<(&'a Entry, Vec<u8>), String> {
        let entries = &self.program.contracts[self.contract].entries;
        let named: Vec<&Entry> = entries.iter().filter(|e| e.name == call.function).collect();
        if named.is_empty() {
            let names: Vec<&str> = entries.iter().map(|e| e.name.as_str()).collect();
            return Err(format!("no public function is called `{}`{}", call.function, among(&names)));
        }
        let mut problem = String::new();
        for entry in named {
            match encode(self.program, &self.params(entry.proc), &call.args, &self.names) {
                Ok(data) => return Ok((entry, data)),
                Err(e) => problem = format!("{e} (the function is `{}`)", entry.signature),
            }
        }
        Err(problem)
    }

    #[allow(clippy::too_many_arguments)]
    fn row(
        &mut self,
        text: &str,
        from: U256,
        value: U256,
        rets: &[TypeId],
        ours: Answer,
        theirs: Option<Answer>,
        address: U256,
    ) {
        let result = self.describer.outcome(&ours, rets, &self.names);
        let same_storage = |evm: &Evm<'_>| evm.storage(address) == self.interp.storage(address);
        let unsupported = matches!(ours.end, End::Unsupported { .. });
        self.unsupported |= unsupported;
        let evm = theirs.as_ref().map(|theirs| {
            let storage = self.evm.as_ref().is_some_and(same_storage);
            match (ours.agrees(theirs), storage) {
                (true, true) => Ok(()),
                (true, false) => Err("storage differs".to_owned()),
                (false, _) if ours.end == theirs.end && ours.data == theirs.data => {
                    Err("logs differ".to_owned())
                }
                (false, _) => Err(self.describer.outcome(theirs, rets, &self.names)),
            }
        });
        self.table.push(Row {
            call: text.trim().to_owned(),
            from: self.names.show(from),
            value,
            good: ours.end == End::Success,
            unsupported,
            result,
            evm,
            gas: theirs.and_then(|t| t.gas),
            logs: ours.logs.iter().map(|l| self.describer.log(l, &self.names)).collect(),
        });
    }
}

/// `receive()` is a call without data, `fallback(hex"…")` one with any data.
fn raw_data(call: &CallText) -> Result<Option<Vec<u8>>, String> {
    match (call.function.as_str(), call.args.as_slice()) {
        ("receive", []) | ("fallback", []) => Ok(Some(Vec::new())),
        ("fallback", [Literal::Bytes(data)]) => Ok(Some(data.clone())),
        ("receive" | "fallback", _) => Err("write `receive()` or `fallback(hex\"…\")`".to_owned()),
        _ => Ok(None),
    }
}

fn amount(literal: &Literal) -> Result<U256, String> {
    match literal {
        Literal::Number { negative: false, magnitude, .. } => Ok(*magnitude),
        _ => Err("an amount such as `1 ether` expected".to_owned()),
    }
}

/// What callers pass to a procedure.
pub fn parameter_types(program: &Program, proc: ProcId) -> Vec<TypeId> {
    let proc = &program.procs[proc];
    proc.params.iter().map(|p| abi_type(program, proc.locals[*p].ty)).collect()
}
