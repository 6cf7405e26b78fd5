//! Atomic read-modify-writes, compare-and-exchange, fences.

use ir::{CompareExchange, Instr, Operand, Order, RmwOp};
use smallvec::smallvec;

use super::What;
use super::body::Body;
use crate::llvm::{Opcode, Ordering, RmwBinOp, Value};

impl<'m> Body<'_, 'm> {
    pub(super) fn atomic(&mut self, value: Value<'m>) -> What<()> {
        match value.opcode() {
            // `atomic_signal_fence` orders nothing between threads.
            Some(Opcode::LLVMFence) if value.is_single_thread_fence() => Ok(()),
            Some(Opcode::LLVMFence) => {
                let order = value.ordering().and_then(order).unwrap_or(Order::SeqCst);
                self.emit(Instr::Fence { order });
                Ok(())
            }
            Some(Opcode::LLVMAtomicRMW) => self.read_modify_write(value),
            _ => self.compare_exchange(value),
        }
    }

    fn read_modify_write(&mut self, value: Value<'m>) -> What<()> {
        let op = rmw_op(value.rmw_op().ok_or("an atomic operation")?)?;
        let width = self.lowering.width(value.ty())?;
        let ptr = self.operand(value, 0)?;
        let operand = self.operand(value, 1)?;
        let order = value.ordering().and_then(order).unwrap_or(Order::SeqCst);
        let dst = self.dst(value, width);
        self.emit(Instr::AtomicRmw { op, width, dst, ptr, value: operand, order });
        Ok(())
    }

    fn compare_exchange(&mut self, value: Value<'m>) -> What<()> {
        let expected_value = value.operand(1).ok_or("a compare-and-exchange of nothing")?;
        let width = self.lowering.width(expected_value.ty())?;
        let ptr = self.operand(value, 0)?;
        let expected = self.scalar(expected_value)?;
        let new = self.operand(value, 2)?;
        let (success, failure, weak) = value.exchange_orderings().ok_or("a compare-and-exchange")?;
        let (old, ok) = (self.temp(width), self.temp(1));
        self.emit(Instr::CompareExchange(Box::new(CompareExchange {
            width,
            old,
            ok,
            ptr,
            expected,
            new,
            success: order(success).unwrap_or(Order::SeqCst),
            failure: order(failure).unwrap_or(Order::SeqCst),
            weak,
        })));
        self.define(value, smallvec![Operand::Reg(old), Operand::Reg(ok)])
    }
}

/// `None` is not atomic.
pub fn order(ordering: Ordering) -> Option<Order> {
    match ordering {
        Ordering::LLVMAtomicOrderingNotAtomic => None,
        Ordering::LLVMAtomicOrderingUnordered | Ordering::LLVMAtomicOrderingMonotonic => Some(Order::Relaxed),
        Ordering::LLVMAtomicOrderingAcquire => Some(Order::Acquire),
        Ordering::LLVMAtomicOrderingRelease => Some(Order::Release),
        Ordering::LLVMAtomicOrderingAcquireRelease => Some(Order::AcqRel),
        Ordering::LLVMAtomicOrderingSequentiallyConsistent => Some(Order::SeqCst),
    }
}

fn rmw_op(op: RmwBinOp) -> What<RmwOp> {
    use RmwBinOp::*;
    Ok(match op {
        LLVMAtomicRMWBinOpXchg => RmwOp::Xchg,
        LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        LLVMAtomicRMWBinOpAnd => RmwOp::And,
        LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        LLVMAtomicRMWBinOpOr => RmwOp::Or,
        LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        LLVMAtomicRMWBinOpMax => RmwOp::SMax,
        LLVMAtomicRMWBinOpMin => RmwOp::SMin,
        LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        LLVMAtomicRMWBinOpFAdd => RmwOp::FloatAdd,
        LLVMAtomicRMWBinOpFSub => RmwOp::FloatSub,
        _ => return Err(format!("the atomic operation {op:?}")),
    })
}
