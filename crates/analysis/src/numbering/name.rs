//! Names of values, each kept once.

use ir::{BinOp, CastOp, GlobalId, Pc, Reg};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::memory::NodeIx;

/// Index of a name.
pub type NameIx = u32;

/// A value that is not computed from others by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// What an instruction yielded when it was executed last, in this register.
    Defined(NodeIx, Pc, Reg),
    /// What a register held when a block was entered last.
    Merged(NodeIx, u32, Reg),
    /// A parameter of the current call.
    Passed(NodeIx, u32),
}

impl Atom {
    /// The node that the atom belongs to.
    pub fn node(self) -> NodeIx {
        match self {
            Atom::Defined(node, ..) | Atom::Merged(node, ..) | Atom::Passed(node, _) => node,
        }
    }
}

/// A value: an atom, a constant, or what is computed from other names. All of it
/// is a function of the atoms, so that equal names are equal values as long as no
/// atom is defined anew.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Name {
    /// An atom.
    Atom(Atom),
    /// The address of a global variable that is not thread-local.
    Global(GlobalId),
    /// A number.
    Int(u64),
    /// The result of an operation.
    Binary(BinOp, u8, NameIx, NameIx),
    /// The result of a conversion.
    Cast(CastOp, u8, u8, NameIx),
    /// A sum.
    Sum(Address),
}

/// A sum: `base + index * scale + offset`, of pointer width; or any value alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Address {
    /// The value that the others are added to.
    pub base: NameIx,
    /// An index and its scale.
    pub term: Option<(NameIx, i64)>,
    /// A constant.
    pub offset: i64,
}

impl Address {
    /// A value alone.
    pub fn of(base: NameIx) -> Address {
        Address { base, term: None, offset: 0 }
    }

    /// The value, if it is one alone.
    pub fn alone(self) -> Option<NameIx> {
        (self == Address::of(self.base)).then_some(self.base)
    }
}

/// A name with more atoms than this is forgotten.
const MAX_ATOMS: usize = 6;
/// So many names are kept, at most.
const MAX_NAMES: usize = 400_000;

/// All names.
#[derive(Debug)]
pub struct Names {
    /// The width of pointers, at which sums wrap.
    width: u8,
    names: Vec<Name>,
    atoms: Vec<SmallVec<[Atom; 2]>>,
    index: FxHashMap<Name, NameIx>,
}

impl Names {
    /// No names yet.
    pub fn new(width: u8) -> Names {
        let (names, atoms, index) = Default::default();
        Names { width, names, atoms, index }
    }

    /// The index of a name; `None` if it would be too large.
    pub fn intern(&mut self, name: Name) -> Option<NameIx> {
        if let Some(known) = self.index.get(&name) {
            return Some(*known);
        }
        let mut atoms: SmallVec<[Atom; 2]> = match name {
            Name::Atom(atom) => smallvec::smallvec![atom],
            Name::Global(_) | Name::Int(_) => SmallVec::new(),
            Name::Binary(_, _, a, b) => [a, b].iter().flat_map(|part| self.atoms(*part)).copied().collect(),
            Name::Cast(.., a) => self.atoms(a).into(),
            Name::Sum(sum) => self.atoms_of(sum).collect(),
        };
        atoms.sort_unstable();
        atoms.dedup();
        if atoms.len() > MAX_ATOMS || self.names.len() >= MAX_NAMES {
            return None;
        }
        let ix = self.names.len() as NameIx;
        self.names.push(name);
        self.atoms.push(atoms);
        self.index.insert(name, ix);
        Some(ix)
    }

    /// The name.
    pub fn get(&self, ix: NameIx) -> Name {
        self.names[ix as usize]
    }

    /// The atoms that a name is a function of.
    pub fn atoms(&self, ix: NameIx) -> &[Atom] {
        &self.atoms[ix as usize]
    }

    /// The atoms that a sum is a function of.
    pub fn atoms_of(&self, sum: Address) -> impl Iterator<Item = Atom> + '_ {
        let parts = std::iter::once(sum.base).chain(sum.term.map(|(index, _)| index));
        parts.flat_map(|part| self.atoms(part)).copied()
    }

    /// A sum as one name.
    pub fn whole(&mut self, sum: Address) -> Option<NameIx> {
        match sum.alone() {
            Some(name) => Some(name),
            None => self.intern(Name::Sum(sum)),
        }
    }

    /// A sum with a constant added.
    pub fn plus(&self, sum: Address, by: i64) -> Address {
        let offset = sum.offset.wrapping_add(by) as u64;
        Address { offset: domains::fold::signed(offset, self.width), ..sum }
    }

    /// A sum with an index times a scale added.
    pub fn plus_scaled(&mut self, sum: Address, index: Address, scale: i64) -> Option<Address> {
        if let (Name::Int(n), None) = (self.get(index.base), index.term) {
            return Some(self.plus(sum, (n as i64).wrapping_add(index.offset).wrapping_mul(scale)));
        }
        let index = self.whole(index)?;
        let (base, offset) = match sum.term {
            None => (sum.base, sum.offset),
            Some(_) => (self.whole(Address { offset: 0, ..sum })?, sum.offset),
        };
        Some(Address { base, term: Some((index, scale)), offset })
    }

    /// The same with parameters of a node replaced; `None` if one of them has no
    /// name.
    pub fn replace(&mut self, sum: Address, node: NodeIx, passed: &[Option<Address>]) -> Option<Address> {
        let base = self.replace_in(sum.base, node, passed)?;
        let moved = match sum.term {
            None => base,
            Some((index, scale)) => {
                let index = self.replace_in(index, node, passed)?;
                self.plus_scaled(base, index, scale)?
            }
        };
        Some(self.plus(moved, sum.offset))
    }

    fn replace_in(&mut self, name: NameIx, node: NodeIx, passed: &[Option<Address>]) -> Option<Address> {
        if !self.atoms(name).iter().any(|atom| matches!(atom, Atom::Passed(of, _) if *of == node)) {
            return Some(Address::of(name));
        }
        let replaced = match self.get(name) {
            Name::Atom(Atom::Passed(_, at)) => return passed.get(at as usize).copied().flatten(),
            Name::Sum(sum) => return self.replace(sum, node, passed),
            Name::Binary(op, width, a, b) => {
                let (a, b) = (self.replace_in(a, node, passed)?, self.replace_in(b, node, passed)?);
                Name::Binary(op, width, self.whole(a)?, self.whole(b)?)
            }
            Name::Cast(op, from, to, a) => {
                let a = self.replace_in(a, node, passed)?;
                Name::Cast(op, from, to, self.whole(a)?)
            }
            other => other,
        };
        self.intern(replaced).map(Address::of)
    }
}
