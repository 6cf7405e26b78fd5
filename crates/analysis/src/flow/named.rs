//! Locks at addresses with names: where they are lost.

use ir::Pc;

use super::{FlowOf, Held, Site};
use crate::event::{Action, LockKind};
use crate::memory::NodeIx;
use crate::numbering::name::{Address, Atom};
use crate::value::{Meets, Ptr};

/// A lock that was taken.
#[derive(Clone, Copy, Debug)]
pub struct TakenAt<'a> {
    /// The instruction.
    pub site: Site,
    /// The places where the lock may be.
    pub places: &'a [Ptr],
    /// Its kind.
    pub kind: LockKind,
    /// Whether no other thread can hold it at the same time.
    pub exclusive: bool,
}

impl<'a> FlowOf<'a, '_> {
    /// Loses the locks whose names are functions of what these instructions
    /// define.
    pub(super) fn define(&self, node: NodeIx, at: std::ops::Range<Pc>, held: &mut Held) {
        self.lose(held, |atom| matches!(atom, Atom::Defined(of, pc, _) if of == node && at.contains(&pc)));
    }

    /// Loses the locks whose names are functions of some atoms.
    pub(super) fn lose(&self, held: &mut Held, old: impl Fn(Atom) -> bool) {
        let names = &self.numbering.names;
        let is_old = |site: &Site| self.named(*site).is_none_or(|lock| names.atoms_of(lock).any(&old));
        held.named.retain(|site| !is_old(site));
    }

    /// The address of a lock that was taken.
    pub(super) fn named(&self, (node, pc): Site) -> Option<Address> {
        self.numbering.address(node, pc)
    }

    /// Loses the locks that may be at these places.
    pub(super) fn lose_at(&self, held: &mut Held, targets: &[Ptr], len: Option<u64>, kind: Option<LockKind>) {
        let len = len.unwrap_or(u64::MAX >> 2);
        held.named.retain(|site| {
            let TakenAt { places, kind: own, .. } = self.taken_at(*site);
            let meet = |a: &Ptr, b: &Ptr| a.obj == b.obj && a.off.meets(len, b.off, 1) != Meets::Never;
            let here = targets.iter().any(|target| places.iter().any(|place| meet(target, place)));
            !here || kind.is_some_and(|kind| kind != own)
        });
    }

    /// What an instruction does that takes a lock.
    pub fn taken_at(&self, site: Site) -> TakenAt<'a> {
        let (node, pc) = site;
        let node = &self.interpreter.nodes[node as usize];
        let events = &node.blocks[self.interpreter.blocks(node.func).containing(pc)].events;
        let taken = events.iter().filter(|event| event.pc == pc).find_map(|event| match &event.action {
            Action::Lock { targets, kind, exclusive, .. } => {
                Some(TakenAt { site, places: targets, kind: *kind, exclusive: *exclusive })
            }
            _ => None,
        });
        taken.expect("only such instructions are noted")
    }
}
