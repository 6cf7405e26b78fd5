//! Values of arrays.

use std::collections::BTreeMap;

/// The value of an array: one element everywhere, with exceptions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArrayValue {
    default: u128,
    /// Elements that are not the default.
    elements: BTreeMap<u64, u128>,
}

impl ArrayValue {
    /// Zeros everywhere.
    pub fn zeros() -> &'static ArrayValue {
        static ZEROS: ArrayValue = ArrayValue::filled(0);
        &ZEROS
    }

    /// One element everywhere.
    pub const fn filled(element: u128) -> ArrayValue {
        ArrayValue { default: element, elements: BTreeMap::new() }
    }

    /// The element at an index.
    pub fn get(&self, index: u64) -> u128 {
        self.elements.get(&index).copied().unwrap_or(self.default)
    }

    /// Changes the element at an index.
    pub fn set(&mut self, index: u64, element: u128) {
        if element == self.default {
            self.elements.remove(&index);
        } else {
            self.elements.insert(index, element);
        }
    }

    /// The element everywhere else.
    pub fn default_element(&self) -> u128 {
        self.default
    }

    /// The elements that are not the default, by index.
    pub fn exceptions(&self) -> impl Iterator<Item = (u64, u128)> + '_ {
        self.elements.iter().map(|(index, element)| (*index, *element))
    }
}
