//! Elements of arrays that threads have for themselves.

use rustc_hash::FxHashSet;

use super::{Places, Rule, Rules, Use};
use crate::elements::{Key, Own};
use crate::flow::{Lock, Site};
use crate::omission::Omission;
use crate::tickets::{Counter, Taking};
use crate::value::{Meets, Off};

impl Rules<'_, '_> {
    /// Why two threads access different elements of an array.
    pub(super) fn have_elements(&self, a: &Use, b: &Use) -> Option<Rule> {
        let within = self.omission == Some(Omission::WithinElement);
        let apart = |own: &&Own| {
            let beside = |other: &Own| own.is_apart(a.len, other, b.len) || within && own.key == other.key;
            b.owned.iter().any(beside)
        };
        a.owned.iter().filter(apart).find_map(|own| match own.key {
            Key::Thread(_) => Some(Rule::Element),
            Key::Counter(counter) => self.counters.contains(&counter).then_some(Rule::Ticket),
        })
    }

    /// Finds out which counters hand out numbers once.
    pub(super) fn check_counters(&mut self, taking: &[Taking]) {
        let counters: FxHashSet<Counter> = taking.iter().map(|each| each.counter).collect();
        let kept = self.omission == Some(Omission::CounterKept);
        let counts = |counter: &Counter| kept || self.hands_out_once(*counter, taking);
        self.counters = counters.into_iter().filter(counts).collect();
    }

    /// Whether everything that takes a number of a counter does so under one lock,
    /// with the same kind of test, and all else that writes the counter is done
    /// while no thread is alive that takes numbers.
    fn hands_out_once(&self, counter: Counter, taking: &[Taking]) -> bool {
        let own: Vec<&Taking> = taking.iter().filter(|each| each.counter == counter).collect();
        let place = Off::exact(counter.offset);
        let here = |each: &&(Use, Places)| each.0.off.meets(each.0.len, place, counter.len) != Meets::Never;
        let uses: Vec<&(Use, Places)> =
            self.uses.get(&counter.obj).into_iter().flatten().filter(here).collect();
        let is_step = |site: &Site| own.iter().any(|each| each.store == *site);
        let takes = |site: &Site| is_step(site) || own.iter().any(|each| each.loads.contains(site));
        let inside: Vec<&Use> =
            uses.iter().filter(|(_, places)| places.iter().any(takes)).map(|(each, _)| each).collect();
        let Some(first) = inside.first() else { return false };
        let common = |(lock, exclusive): &(Lock, bool)| {
            let held = |each: &&Use| self.held(each).locks.contains(&(*lock, true));
            *exclusive && self.counts(lock) && inside.iter().all(held)
        };
        let locked = self.held(first).locks.iter().any(common);
        let in_section = self.section_counts && inside.iter().all(|each| self.held(each).in_section());
        let alone = |each: &Use| {
            inside.iter().all(|taker| !self.may_live(each.thread, self.held(each), taker.thread))
        };
        let others = |(each, places): &&(Use, Places)| each.write && !places.iter().all(is_step);
        let same_test = own.iter().all(|each| each.below.is_some() == own[0].below.is_some());
        same_test
            && (locked || in_section)
            && uses.iter().filter(|each| others(each)).all(|(each, _)| alone(each))
    }
}
