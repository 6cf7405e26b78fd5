//! Instructions on keys of thread-specific values.

use ir::{Operand, Reg};
use triomphe::Arc;

use crate::exec::sync::Code;
use crate::exec::{Exec, Stop};
use crate::state::thread::{Belongings, Ending};
use crate::symbolic::symbols::Symbols;
use crate::telling::fault::{FaultKind, Touch};
use crate::telling::observer::Observer;
use crate::value::{Named, Value};

/// So often the destructors of a thread's values are called, as long as these
/// leave new values (`PTHREAD_DESTRUCTOR_ITERATIONS`).
const DESTRUCTOR_ROUNDS: u32 = 4;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    fn key(&mut self, operand: Operand) -> Result<u32, Stop> {
        let key = self.defined(operand, "a key")?.bits & u64::from(u32::MAX);
        match self.state.rest.keys.get(key as usize) {
            Some(Some(_)) => Ok(key as u32),
            _ => Err(FaultKind::BadKey { key }.into()),
        }
    }

    pub fn key_create(&mut self, args: &[Operand]) -> Code {
        let destructor = self.defined(args[1], "a destructor")?;
        let destructor = match destructor.object.named() {
            Named::Function(function) => Some(function),
            _ if destructor.is_plain() && destructor.bits == 0 => None,
            _ => {
                let pointer = self.machine.show_pointer(self.state, destructor);
                return Err(FaultKind::BadCall { pointer }.into());
            }
        };
        let pointer = self.value(args[0]);
        let (id, offset) = self.resolve(pointer, 4, Touch::Write)?;
        let key = self.state.rest.keys.len() as u64;
        self.write_bytes((id, offset), 4, Value::int(key))?;
        self.state.rest_mut().keys.push(Some(destructor));
        Ok(0)
    }

    pub fn key_delete(&mut self, operand: Operand) -> Code {
        let key = self.key(operand)?;
        self.state.rest_mut().keys[key as usize] = None;
        Ok(0)
    }

    pub fn key_set(&mut self, args: &[Operand]) -> Code {
        let key = self.key(args[0])?;
        let value = self.value(args[1]);
        let is_null = self.is_zero(value, self.machine.program().pointer_width)?;
        let specifics = &mut self.state.thread_mut(self.thread).own.specifics;
        specifics.retain(|(k, _)| *k != key);
        if !is_null {
            let index = specifics.partition_point(|(k, _)| *k < key);
            specifics.insert(index, (key, value));
        }
        Ok(0)
    }

    pub fn key_get(&mut self, dst: Option<Reg>, operand: Operand) -> Result<(), Stop> {
        let key = self.key(operand)?;
        let specifics = &self.state.thread(self.thread).own.specifics;
        let value = specifics.iter().find(|(k, _)| *k == key).map_or(Value::int(0), |(_, value)| *value);
        self.yield_value(dst, value)
    }

    /// The next destructor that an ending thread must call, with its value.
    pub fn next_destructor(&mut self) -> Option<(ir::FuncId, Value)> {
        let rest = Arc::clone(&self.state.rest);
        let destructor = |key: u32| rest.keys.get(key as usize).copied().flatten().flatten();
        let Belongings { ending, specifics, .. } = &mut *self.state.thread_mut(self.thread).own;
        let ending = ending.as_mut()?;
        loop {
            let due = |(key, _): &(u32, Value)| *key >= ending.key && destructor(*key).is_some();
            if let Some(index) = specifics.iter().position(due) {
                let (key, value) = specifics.remove(index);
                ending.key = key + 1;
                return destructor(key).map(|function| (function, value));
            }
            if ending.key == 0 || ending.rounds + 1 == DESTRUCTOR_ROUNDS {
                return None;
            }
            *ending = Ending { rounds: ending.rounds + 1, key: 0 };
        }
    }
}
