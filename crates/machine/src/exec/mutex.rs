//! Instructions on mutexes and spin locks.

use ir::Operand;

use crate::exec::sync::Code;
use crate::exec::{Exec, Stop};
use crate::state::thread::SyncPlace;
use crate::symbolic::symbols::Symbols;
use crate::sync::{Mutex, MutexKind, Robust, SyncObject, errno};
use crate::telling::observer::{Event, Observer, Place};
use crate::value::ObjectId;

/// The bit of a mutex attribute that makes a robust mutex.
const ROBUST: u64 = 1 << 15;

impl<O: Observer, S: Symbols> Exec<'_, O, S> {
    pub fn mutex(&self, at: SyncPlace) -> Result<Mutex, Stop> {
        self.machine.mutex_at(self.state, at).ok_or_else(|| self.not_initialised(at))
    }

    pub fn mutex_init(&mut self, at: SyncPlace, attr: Operand) -> Code {
        let attribute = self.attribute(attr)?;
        let mutex = Mutex::new(MutexKind::from_number(attribute));
        let robust = if attribute & ROBUST == 0 { Robust::No } else { Robust::Consistent };
        self.init(at, SyncObject::Mutex(Mutex { robust, ..mutex }))
    }

    pub fn mutex_lock(&mut self, at: SyncPlace) -> Code {
        let mutex = self.mutex(at)?;
        if mutex.owner == Some(self.thread) {
            return match mutex.kind {
                MutexKind::Recursive => self.take(at, mutex),
                MutexKind::ErrorChecking => Ok(errno::EDEADLK),
                MutexKind::Normal => Err(self.relock(at)),
            };
        }
        self.take(at, mutex)
    }

    /// Takes a mutex that is free, or once more. A robust one tells its new
    /// owner that the last one ended, or refuses for ever.
    pub fn take(&mut self, at: SyncPlace, mut mutex: Mutex) -> Code {
        let code = match (mutex.robust, mutex.owner) {
            (Robust::Lost, _) => return Ok(errno::ENOTRECOVERABLE),
            (Robust::Inconsistent, None) => errno::EOWNERDEAD,
            _ => 0,
        };
        self.acquire_clock(&mutex.clock);
        mutex.owner = Some(self.thread);
        mutex.depth += 1;
        self.put(at, SyncObject::Mutex(mutex))?;
        Ok(code)
    }

    /// The timed form fails by its time-out, and only where it would have to
    /// wait; waiting longer is not taking this step yet.
    pub fn mutex_try_lock(&mut self, at: SyncPlace, timed: bool) -> Code {
        let mutex = self.mutex(at)?;
        match mutex.owner {
            None => self.take(at, mutex),
            Some(owner) if owner == self.thread && mutex.kind == MutexKind::Recursive => self.take(at, mutex),
            Some(owner) if timed && owner == self.thread && mutex.kind == MutexKind::ErrorChecking => {
                Ok(errno::EDEADLK)
            }
            Some(_) => Ok(if timed { errno::ETIMEDOUT } else { errno::EBUSY }),
        }
    }

    pub fn mutex_unlock(&mut self, at: SyncPlace) -> Code {
        let mut mutex = self.mutex(at)?;
        if mutex.owner != Some(self.thread) {
            return match (mutex.kind, mutex.robust) {
                (MutexKind::Normal, Robust::No) => Err(self.not_held(at)),
                // These types promise to report it.
                _ => Ok(errno::EPERM),
            };
        }
        self.give_back(&mut mutex);
        self.put(at, SyncObject::Mutex(mutex))
    }

    /// Gives back one level of a mutex.
    pub fn give_back(&mut self, mutex: &mut Mutex) {
        mutex.depth -= 1;
        if mutex.depth == 0 {
            mutex.owner = None;
            if mutex.robust == Robust::Inconsistent {
                mutex.robust = Robust::Lost;
            }
            self.release_clock(&mut mutex.clock);
        }
    }

    /// The owner has repaired what a robust mutex protects.
    pub fn mutex_consistent(&mut self, at: SyncPlace) -> Code {
        let mutex = self.mutex(at)?;
        match mutex.owner {
            Some(owner) if mutex.robust == Robust::Inconsistent => {
                if owner != self.thread {
                    return Err(self.not_held(at));
                }
                self.put(at, SyncObject::Mutex(Mutex { robust: Robust::Consistent, ..mutex }))
            }
            _ => Ok(errno::EINVAL),
        }
    }

    /// The robust mutexes that an ending thread holds become free.
    pub fn abandon_robust(&mut self) {
        let slots = &self.state.memory.slots;
        let held = slots.iter().enumerate().flat_map(|(slot, object)| {
            let id = ObjectId::slot(slot, object.generation);
            let mutexes = object.sync.iter().filter_map(|(at, sync)| match sync {
                SyncObject::Mutex(mutex) => Some((*at, mutex)),
                _ => None,
            });
            mutexes
                .filter(|(_, mutex)| mutex.robust != Robust::No && mutex.owner == Some(self.thread))
                .map(move |(at, mutex)| ((id, u64::from(at)), mutex.clone()))
        });
        for (at, mutex) in held.collect::<Vec<_>>() {
            let mut free = Mutex { owner: None, depth: 0, robust: Robust::Inconsistent, ..mutex };
            self.release_clock(&mut free.clock);
            self.state.memory.get_mut(at.0).set_sync(at.1, SyncObject::Mutex(free));
            self.event(Event::Also { object: Place { object: at.0, offset: at.1, len: 1 } });
        }
    }

    pub fn spin(&self, at: SyncPlace) -> Result<Mutex, Stop> {
        self.machine.spin_at(self.state, at).ok_or_else(|| self.not_initialised(at))
    }

    pub fn spin_lock(&mut self, at: SyncPlace) -> Code {
        let spin = self.spin(at)?;
        if spin.owner == Some(self.thread) {
            return Err(self.relock(at));
        }
        self.spin_take(at, spin)
    }

    pub fn spin_take(&mut self, at: SyncPlace, mut spin: Mutex) -> Code {
        self.acquire_clock(&spin.clock);
        spin.owner = Some(self.thread);
        self.put(at, SyncObject::Spin(spin))
    }

    pub fn spin_try_lock(&mut self, at: SyncPlace) -> Code {
        let spin = self.spin(at)?;
        if spin.owner.is_some() { Ok(errno::EBUSY) } else { self.spin_take(at, spin) }
    }

    pub fn spin_unlock(&mut self, at: SyncPlace) -> Code {
        let mut spin = self.spin(at)?;
        if spin.owner != Some(self.thread) {
            return Err(self.not_held(at));
        }
        spin.owner = None;
        self.release_clock(&mut spin.clock);
        self.put(at, SyncObject::Spin(spin))
    }
}
