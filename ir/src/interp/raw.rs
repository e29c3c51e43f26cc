//! The raw effects of inline assembly. They act on the same bytes as everything else.

use super::Interpreter;
use super::call::{Message, Returned};
use super::exec::Next;
use super::storage::WordStore;
use super::value::{Run, Trap, Value};
use crate::ids::{ExprId, LocalId};
use crate::program::{CallKind, EvmOp};
use ruint::aliases::U256;

/// Arguments that an instruction must have.
fn take<const N: usize>(args: &[U256]) -> Run<[U256; N]> {
    let exact: Result<[U256; N], _> = args.try_into();
    exact.map_err(|_| Trap::Unsupported("ill-formed IR: wrong number of arguments for an instruction".into()))
}

impl Interpreter<'_> {
    pub(super) fn raw(&mut self, op: EvmOp, args: &[ExprId], dsts: &[LocalId]) -> Run<Next> {
        let eval = self.eval()?;
        let args = args.iter().map(|a| eval.word(*a)).collect::<Run<Vec<_>>>()?;
        match op {
            EvmOp::MStore | EvmOp::MStore8 | EvmOp::MCopy => self.raw_memory(op, &args)?,
            EvmOp::SStore | EvmOp::TStore => {
                let [slot, value] = take(&args)?;
                self.storage_mut(op == EvmOp::TStore)?.store(slot, value);
            }
            EvmOp::CalldataCopy | EvmOp::CodeCopy | EvmOp::ExtCodeCopy | EvmOp::ReturndataCopy => {
                self.raw_copy(op, &args)?;
            }
            EvmOp::Log => {
                let [offset, length, topics @ ..] = &args[..] else {
                    return Err(Trap::Unsupported("ill-formed IR: a log without a range".into()));
                };
                let data = self.frame()?.memory.load_bytes(*offset, *length)?;
                self.log(topics.to_vec(), data)?;
            }
            EvmOp::Call | EvmOp::CallCode | EvmOp::DelegateCall | EvmOp::StaticCall => {
                return self.raw_call(op, &args);
            }
            EvmOp::Create | EvmOp::Create2 => return self.raw_create(op, &args, dsts),
        }
        self.advance()
    }

    fn raw_memory(&mut self, op: EvmOp, args: &[U256]) -> Run<()> {
        let memory = &mut self.frame_mut()?.memory;
        match op {
            EvmOp::MStore => {
                let [offset, word] = take(args)?;
                memory.store(offset, word)
            }
            EvmOp::MStore8 => {
                let [offset, word] = take(args)?;
                memory.store_byte(offset, word.byte(0))
            }
            _ => {
                let [dst, src, length] = take(args)?;
                memory.copy_within(dst, src, length)
            }
        }
    }

    fn raw_copy(&mut self, op: EvmOp, args: &[U256]) -> Run<()> {
        let frame = self.frame()?;
        let (source, args) = match op {
            EvmOp::CalldataCopy => (frame.calldata.clone(), args),
            EvmOp::ReturndataCopy => {
                let [_, start, length] = take(args)?;
                let end = start.checked_add(length);
                // Unlike the others, this instruction does not read beyond the end.
                if end.is_none_or(|end| end > U256::from(frame.returndata.len())) {
                    return Err(Trap::OutOfGas);
                }
                (frame.returndata.clone(), args)
            }
            EvmOp::CodeCopy => (self.running_code(frame)?, args),
            _ => {
                let [address, rest @ ..] = args else {
                    return Err(Trap::Unsupported("ill-formed IR: extcodecopy without an address".into()));
                };
                (self.code_at(*address & super::arith::low_mask(160))?, rest)
            }
        };
        let [dst, start, length] = take(args)?;
        self.frame_mut()?.memory.copy_from(dst, &source, start, length)
    }

    fn raw_call(&mut self, op: EvmOp, args: &[U256]) -> Run<Next> {
        let (kind, value, [gas, target, in_offset, in_length, out_offset, out_length]) = match (op, args) {
            (EvmOp::Call | EvmOp::CallCode, [gas, target, value, rest @ ..]) => {
                let kind = if op == EvmOp::Call { CallKind::Call } else { CallKind::Code };
                let [a, b, c, d] = take(rest)?;
                (kind, *value, [*gas, *target, a, b, c, d])
            }
            (EvmOp::DelegateCall, _) => (CallKind::Delegate, U256::ZERO, take(args)?),
            _ => (CallKind::Static, U256::ZERO, take(args)?),
        };
        let frame = self.frame_mut()?;
        let data = frame.memory.load_bytes(in_offset, in_length)?.into();
        // The room for the result is paid for before the call.
        frame.memory.load_bytes(out_offset, out_length)?;
        frame.output = (out_offset, out_length);
        let target = target & super::arith::low_mask(160);
        let gas = Some(u64::try_from(gas).unwrap_or(u64::MAX));
        let begun = self.begin_call(Message { kind, target, value, data, gas })?;
        self.proceed(begun)
    }

    fn raw_create(&mut self, op: EvmOp, args: &[U256], dsts: &[LocalId]) -> Run<Next> {
        debug_assert!(dsts.len() <= 1);
        let (value, offset, length, salt) = if op == EvmOp::Create2 {
            let [value, offset, length, salt] = take(args)?;
            (value, offset, length, Some(salt))
        } else {
            let [value, offset, length] = take(args)?;
            (value, offset, length, None)
        };
        let init = self.frame()?.memory.load_bytes(offset, length)?;
        let begun = if init.is_empty() {
            self.begin_create(None, &[], value, salt)?
        } else {
            match self.recognise_creation(&init) {
                Some((contract, args)) => self.begin_create(Some(contract), args, value, salt)?,
                None => return Err(Trap::Unsupported("creation of a contract from raw code".into())),
            }
        };
        self.proceed(begun)
    }

    /// What an instruction that called leaves behind: success or address on the stack, return data in memory.
    pub(super) fn resume_raw(&mut self, op: EvmOp, dsts: &[LocalId], returned: &Returned) -> Run<()> {
        let frame = self.frame_mut()?;
        let result = match op {
            EvmOp::Create | EvmOp::Create2 => returned.created.unwrap_or(U256::ZERO),
            _ => {
                let (offset, room) = frame.output;
                let length = room.min(U256::from(returned.data.len()));
                frame.memory.copy_from(offset, &returned.data, U256::ZERO, length)?;
                U256::from(returned.ok)
            }
        };
        for dst in dsts {
            frame.set_local(*dst, Value::Word(result))?;
        }
        Ok(())
    }
}
