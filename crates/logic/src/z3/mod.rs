//! Z3, through its C interface. A term of width 1 is a Boolean there.
#![allow(unsafe_code)]

mod library;
mod translate;

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::asserted::Asserted;
use crate::solver::{Answer, Limits, Model, Solver, SolverError, SolverKind, Statistics};
use crate::term::{Term, Terms};
use library::{FALSE, Functions, Pointer, TRUE, load, text};

/// How often an interrupt is looked for.
const POLL: Duration = Duration::from_millis(5);

/// The solver Z3.
pub struct Z3 {
    functions: Functions,
    context: Pointer,
    solver: Pointer,
    /// Terms already translated. They live as long as the context.
    known: FxHashMap<Term, Pointer>,
    variables: Vec<Term>,
    /// Selects of array variables already translated.
    selects: Vec<Term>,
    /// Whether something on arrays was translated.
    has_arrays: bool,
    /// Whether the solver is one that knows arrays.
    knows_arrays: bool,
    asserted: Asserted,
    /// The constants that stand for assumptions.
    proxies: FxHashMap<Term, Pointer>,
    limits: Limits,
    statistics: Statistics,
}

unsafe extern "C" fn no_exit(_: Pointer, _: c_int) {}

/// A solver for a logic, which the caller gives back.
///
/// # Safety
/// The context is one of Z3's.
unsafe fn solver_for(f: &Functions, context: Pointer, logic: &str) -> Pointer {
    // SAFETY: making a solver in a context.
    unsafe {
        let logic = (f.mk_string_symbol)(context, text(logic).as_ptr());
        let solver = (f.mk_solver_for_logic)(context, logic);
        (f.solver_inc_ref)(context, solver);
        solver
    }
}

impl Z3 {
    /// A solver with nothing asserted; fails if the library is not there.
    pub fn new() -> Result<Z3, SolverError> {
        let functions = load().map_err(|message| SolverError::Missing { solver: SolverKind::Z3, message })?;
        let f = &functions;
        // SAFETY: the functions are called as z3_api.h says; the context and
        // the solver live until the drop below.
        let (context, solver) = unsafe {
            let config = (f.mk_config)();
            let context = (f.mk_context)(config);
            (f.del_config)(config);
            (f.set_error_handler)(context, Some(no_exit));
            (context, solver_for(f, context, "QF_BV"))
        };
        Ok(Z3 {
            functions,
            context,
            solver,
            known: FxHashMap::default(),
            variables: Vec::new(),
            selects: Vec::new(),
            has_arrays: false,
            knows_arrays: false,
            asserted: Asserted::default(),
            proxies: FxHashMap::default(),
            limits: Limits::default(),
            statistics: Statistics::default(),
        })
    }

    fn string(&self, string: *const c_char) -> String {
        // SAFETY: Z3 returns strings that live until its next call.
        unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
    }

    /// Runs an SMT-LIB script and yields what it prints, apart from what this
    /// solver has asserted.
    pub fn run_script(&mut self, script: &str) -> Result<String, SolverError> {
        // SAFETY: a string that Z3 reads, and one that it keeps.
        let printed = unsafe { (self.functions.eval_smtlib2_string)(self.context, text(script).as_ptr()) };
        self.complaint()?;
        Ok(self.string(printed))
    }

    /// What Z3 complained about since the last call, if it did.
    fn complaint(&self) -> Result<(), SolverError> {
        // SAFETY: reading the last error.
        let message = unsafe {
            match (self.functions.get_error_code)(self.context) {
                0 => return Ok(()),
                code => (self.functions.get_error_msg)(self.context, code),
            }
        };
        Err(SolverError::Failed { solver: SolverKind::Z3, message: self.string(message) })
    }

    fn set_limits(&mut self) {
        let milliseconds = self.limits.left().map_or(c_uint::MAX, |left| (left.as_millis() as c_uint).max(1));
        let conflicts = self.limits.conflicts.unwrap_or(c_uint::MAX);
        let f = &self.functions;
        // SAFETY: a set of parameters made, used and given back.
        unsafe {
            let params = (f.mk_params)(self.context);
            (f.params_inc_ref)(self.context, params);
            for (name, value) in [("timeout", milliseconds), ("max_conflicts", conflicts)] {
                let name = (f.mk_string_symbol)(self.context, text(name).as_ptr());
                (f.params_set_uint)(self.context, params, name, value);
            }
            (f.solver_set_params)(self.context, self.solver, params);
            (f.params_dec_ref)(self.context, params);
        }
    }

    /// Runs the check, and interrupts it when that is asked for.
    fn run(&self, assumptions: &[Pointer]) -> c_int {
        let (f, count) = (&self.functions, assumptions.len() as c_uint);
        // SAFETY: the assumptions are Boolean constants of this context.
        let check = || unsafe {
            (f.solver_check_assumptions)(self.context, self.solver, count, assumptions.as_ptr())
        };
        let Some(interrupt) = &self.limits.interrupt else { return check() };
        let done = AtomicBool::new(false);
        let (context, stop) = (self.context as usize, f.interrupt);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    if interrupt.load(Ordering::Relaxed) {
                        // SAFETY: the one function that may be called from
                        // another thread; the context outlives this scope.
                        unsafe { stop(context as Pointer) };
                    }
                    std::thread::park_timeout(POLL);
                }
            });
            let answer = check();
            done.store(true, Ordering::Release);
            answer
        })
    }

    /// Z3's solver for bit-vectors alone is much the faster one, but knows no
    /// arrays. Once there are any, all that is asserted moves to another.
    fn learn_arrays(&mut self) {
        if !self.has_arrays || self.knows_arrays {
            return;
        }
        self.knows_arrays = true;
        let f = &self.functions;
        // SAFETY: a solver given back, and another one of the same context, which
        // is told the same Booleans.
        unsafe {
            (f.solver_dec_ref)(self.context, self.solver);
            self.solver = solver_for(f, self.context, "QF_AUFBV");
            for (level, asserted) in self.asserted.levels().enumerate() {
                if level > 0 {
                    (f.solver_push)(self.context, self.solver);
                }
                for term in asserted {
                    (f.solver_assert)(self.context, self.solver, self.known[term]);
                }
            }
        }
    }

    fn solve(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let mut literals = Vec::with_capacity(assumptions.len());
        for term in assumptions {
            let condition = self.translate(terms, *term);
            let proxy = self.proxy(*term);
            // SAFETY: both are Booleans of this context.
            unsafe {
                let implied = (self.functions.mk_implies)(self.context, proxy, condition);
                (self.functions.solver_assert)(self.context, self.solver, implied);
            }
            literals.push(proxy);
        }
        self.set_limits();
        match self.run(&literals) {
            TRUE => self.model(terms).map(Answer::Sat),
            FALSE => Ok(Answer::Unsat(self.core(assumptions))),
            _ => self.unknown(),
        }
    }

    fn unknown(&self) -> Result<Answer, SolverError> {
        if self.limits.expired() || self.limits.conflicts.is_some() {
            return Ok(Answer::Unknown(self.limits.reason()));
        }
        self.complaint()?;
        // SAFETY: asking why.
        let reason = unsafe { (self.functions.solver_get_reason_unknown)(self.context, self.solver) };
        Ok(Answer::Unknown(format!("Z3 says {}", self.string(reason))))
    }

    fn model(&mut self, terms: &Terms) -> Result<Model, SolverError> {
        self.complaint()?;
        let f = &self.functions;
        let mut found = Model::default();
        // SAFETY: a model taken, asked and given back; values are numerals or
        // Booleans since unassigned variables are completed.
        unsafe {
            let model = (f.solver_get_model)(self.context, self.solver);
            (f.model_inc_ref)(self.context, model);
            for variable in &self.variables {
                if let Some(bits) = self.value_in(model, terms, *variable) {
                    found.set(*variable, bits);
                }
            }
            for select in &self.selects {
                let [array, index] = *terms.node(*select).args() else { unreachable!("two arguments") };
                let index = self.value_in(model, terms, index);
                if let Some((index, element)) = index.zip(self.value_in(model, terms, *select)) {
                    found.set_element(array, index as u64, element);
                }
            }
            (f.model_dec_ref)(self.context, model);
        }
        Ok(found)
    }

    /// The value of a translated term in a model.
    ///
    /// # Safety
    /// The model is one of this context.
    unsafe fn value_in(&self, model: Pointer, terms: &Terms, term: Term) -> Option<u128> {
        let f = &self.functions;
        let mut value: Pointer = std::ptr::null_mut();
        // SAFETY: the term is of this context, and so is its value.
        unsafe {
            if !(f.model_eval)(self.context, model, self.known[&term], true, &mut value) {
                return None;
            }
            Some(if terms.width(term) == 1 {
                u128::from((f.get_bool_value)(self.context, value) == TRUE)
            } else {
                self.string((f.get_numeral_string)(self.context, value)).parse().unwrap_or(0)
            })
        }
    }

    fn core(&self, assumptions: &[Term]) -> Vec<Term> {
        let f = &self.functions;
        // SAFETY: a vector taken, read and given back.
        let blamed: Vec<Pointer> = unsafe {
            let core = (f.solver_get_unsat_core)(self.context, self.solver);
            (f.ast_vector_inc_ref)(self.context, core);
            let size = (f.ast_vector_size)(self.context, core);
            let blamed = (0..size).map(|index| (f.ast_vector_get)(self.context, core, index)).collect();
            (f.ast_vector_dec_ref)(self.context, core);
            blamed
        };
        let is_blamed = |term: &&Term| self.proxies.get(term).is_some_and(|proxy| blamed.contains(proxy));
        let mut core: Vec<Term> = assumptions.iter().filter(is_blamed).copied().collect();
        core.dedup();
        core
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        // SAFETY: nothing of the context is used any more.
        unsafe {
            (self.functions.solver_dec_ref)(self.context, self.solver);
            (self.functions.del_context)(self.context);
        }
    }
}

impl Solver for Z3 {
    fn assert(&mut self, terms: &Terms, term: Term) {
        let started = Instant::now();
        let condition = self.translate(terms, term);
        self.learn_arrays();
        self.asserted.assert(term);
        // SAFETY: a Boolean of this context.
        unsafe { (self.functions.solver_assert)(self.context, self.solver, condition) };
        self.statistics.time += started.elapsed();
    }

    fn push(&mut self) {
        self.asserted.push();
        // SAFETY: a plain call.
        unsafe { (self.functions.solver_push)(self.context, self.solver) };
    }

    fn pop(&mut self) {
        self.asserted.pop();
        // SAFETY: the caller has pushed.
        unsafe { (self.functions.solver_pop)(self.context, self.solver, 1) };
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolverError> {
        let started = Instant::now();
        let answer = if self.limits.expired() {
            Answer::Unknown(self.limits.reason())
        } else {
            for term in assumptions {
                self.translate(terms, *term);
            }
            self.learn_arrays();
            // What ties the assumptions to their constants holds for this check.
            self.push();
            let answer = self.solve(terms, assumptions);
            self.pop();
            answer?
        };
        self.statistics.checks += 1;
        self.statistics.satisfiable += u64::from(matches!(answer, Answer::Sat(_)));
        self.statistics.time += started.elapsed();
        self.complaint()?;
        Ok(answer)
    }

    fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
