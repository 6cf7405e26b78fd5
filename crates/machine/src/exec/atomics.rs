//! Atomic instructions: read-modify-write, compare-and-exchange, fences.

use ir::{CompareExchange, Operand, Order, Reg, RmwOp};

use crate::exec::{Exec, Stop};
use crate::machine::End;
use crate::model::MemoryModel;
use crate::symbolic::symbols::{Snag, Symbols};
use crate::telling::fault::{FaultKind, Touch};
use crate::telling::observer::{Event, Observer};
use crate::value::Value;
use crate::value::arith::narrow;
use crate::value::float;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    pub fn fence(&mut self, order: Order) -> Result<(), Stop> {
        self.event(Event::Fence { order });
        if order.releases() && self.machine.config().memory_model == MemoryModel::Pso {
            self.state.thread_mut(self.thread).own.buffer.order();
        }
        if self.machine.track_races {
            let thread = self.thread;
            self.state.thread_mut(thread).clocks.fence(thread, order);
        }
        self.next()
    }

    pub fn read_modify_write(
        &mut self,
        op: RmwOp,
        width: u8,
        dst: Reg,
        ptr: Operand,
        value: Operand,
        order: Order,
    ) -> Result<(), Stop> {
        let pointer = self.value(ptr);
        let len = u64::from(width).div_ceil(8);
        let operand = self.value(value);
        if self.symbols.opens_objects() && self.becomes_open(pointer, len)? {
            return self.update_open((op, width), dst, (pointer, operand), order);
        }
        let place = self.resolve_place(pointer, len, Touch::Write)?;
        let (old, _) = self.look(place)?;
        let new = self.rmw_result(op, width, old, operand)?;
        self.update_at(place, old, (new, Value::int(0)), order)?;
        self.set_and_next(dst, old)
    }

    pub fn rmw_result(&mut self, op: RmwOp, width: u8, old: Value, operand: Value) -> Result<Value, Stop> {
        if width > 64 {
            let what = "an atomic operation of more than 64 bits".to_owned();
            return Err(Stop::End(End::Unsupported(what)));
        }
        let op = match op {
            RmwOp::Xchg => return Ok(operand),
            RmwOp::Nand => {
                let and = self.integer_binary(ir::BinOp::And, width, old, operand)?;
                return self.integer_binary(ir::BinOp::Xor, width, and, Value::int(narrow::mask(width)));
            }
            RmwOp::FloatAdd | RmwOp::FloatSub if old.is_symbolic() || operand.is_symbolic() => {
                return Err(self.snag(Snag::Unsupported("a floating-point operation on an unknown value")));
            }
            RmwOp::FloatAdd | RmwOp::FloatSub => {
                let op = if op == RmwOp::FloatAdd { ir::FloatOp::Add } else { ir::FloatOp::Sub };
                return Ok(Value::int(float::binary(op, width, old.bits, operand.bits)));
            }
            RmwOp::Add => ir::BinOp::Add,
            RmwOp::Sub => ir::BinOp::Sub,
            RmwOp::And => ir::BinOp::And,
            RmwOp::Or => ir::BinOp::Or,
            RmwOp::Xor => ir::BinOp::Xor,
            RmwOp::UMin => ir::BinOp::UMin,
            RmwOp::UMax => ir::BinOp::UMax,
            RmwOp::SMin => ir::BinOp::SMin,
            RmwOp::SMax => ir::BinOp::SMax,
        };
        self.integer_binary(op, width, old, operand)
    }

    /// Arithmetic on values of which some may be pointers.
    fn integer_binary(&mut self, op: ir::BinOp, width: u8, a: Value, b: Value) -> Result<Value, Stop> {
        let zero = Value::int(0);
        let result = self.arith(op, width, (a, zero), (b, zero)).or_else(|snag| match snag {
            Snag::Trouble(_) => {
                let (a, b) = (self.as_number(a)?, self.as_number(b)?);
                self.arith(op, width, (a, zero), (b, zero))
            }
            snag => Err(snag),
        });
        match result {
            Ok((value, _)) => Ok(value),
            Err(Snag::Trouble(_)) => Ok(Value::UNDEF),
            Err(snag) => Err(self.snag(snag)),
        }
    }

    pub fn compare_exchange(&mut self, cx: &CompareExchange) -> Result<(), Stop> {
        let pointer = self.value(cx.ptr);
        let len = u64::from(cx.width).div_ceil(8);
        if self.symbols.opens_objects() && self.becomes_open(pointer, len)? {
            return self.compare_exchange_open(cx, pointer);
        }
        let place = self.resolve_place(pointer, len, Touch::Write)?;
        let old = self.look(place)?;
        let (expected, new) = (self.pair(cx.expected, cx.width), self.pair(cx.new, cx.width));
        let equal = self.equal(cx.width, old, expected)?;
        let succeeds = equal && !(cx.weak && self.choice == 1);
        if succeeds {
            self.update_at(place, old.0, new, cx.success)?;
        } else {
            self.tell_read(place, old.0, Some(cx.failure));
        }
        self.set(cx.ok, Value::int(u64::from(succeeds)));
        if cx.width > 64 {
            self.set(Reg(cx.old.0 + 1), old.1);
        }
        self.set_and_next(cx.old, old.0)
    }

    pub fn equal(&mut self, width: u8, a: (Value, Value), b: (Value, Value)) -> Result<bool, Stop> {
        let mut equal = true;
        for (width, a, b) in [(width.min(64), a.0, b.0), (width.saturating_sub(64), a.1, b.1)] {
            let result = self.equality(width, a, b).or_else(|snag| match snag {
                Snag::Trouble(_) => {
                    let (a, b) = (self.as_number(a)?, self.as_number(b)?);
                    self.equality(width, a, b)
                }
                snag => Err(snag),
            });
            let result = match result {
                Err(Snag::Trouble(_)) => Value::UNDEF,
                result => result.map_err(|snag| self.snag(snag))?,
            };
            if result.undef & 1 != 0 {
                return Err(FaultKind::Uninitialised { decides: "a compare-and-exchange".into() }.into());
            }
            equal &= result.bits == 1;
        }
        Ok(equal)
    }
}
