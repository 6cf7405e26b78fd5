//! Random functions, run for every value and for the narrowed domain: the
//! observable runs must be the same.

use std::collections::BTreeSet;

use super::*;

/// Wide enough that values are not simply enumerated as a byte, small enough to
/// try them all.
const WIDTH: u8 = 10;

struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    fn constant(&mut self, width: u8) -> Operand {
        let value = self.pick(&[0, 1, 2, 3, 5, 9, -1, -2, -7, 511, -512]);
        Operand::Int(value as i64 as u64 & fold::mask(width))
    }

    /// Registers: %0-%2 values, %3-%4 bits, %5 wider.
    fn value(&mut self) -> u32 {
        self.pick(&[0, 0, 1, 2])
    }

    fn operand(&mut self) -> Operand {
        if self.below(4) == 0 { self.constant(WIDTH) } else { r(self.value()) }
    }

    fn bit(&mut self) -> u32 {
        self.pick(&[3, 4])
    }

    fn pred(&mut self) -> Pred {
        use Pred::*;
        self.pick(&[Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge])
    }

    fn instr(&mut self, len: u64) -> Instr {
        match self.below(20) {
            0..6 => compare(self.pred(), WIDTH, self.bit(), self.operand(), self.constant(WIDTH)),
            6 => compare(self.pred(), WIDTH, self.bit(), self.constant(WIDTH), self.operand()),
            7 => compare(self.pred(), 16, self.bit(), r(5), self.constant(16)),
            8 => cast(self.pick(&[CastOp::ZExt, CastOp::SExt]), WIDTH, 16, 5, self.operand()),
            9 => mov(WIDTH, self.value(), self.operand()),
            10 | 11 => branch(r(self.bit()), self.below(len) as Pc, self.below(len) as Pc),
            12 | 13 => assume(r(self.bit())),
            14 => store(1, G, r(self.bit())),
            15 => self.rare(len),
            16 => binary(BinOp::Xor, 1, self.bit(), r(self.bit()), int(1)),
            17 => binary(BinOp::And, 1, self.bit(), r(self.bit()), r(self.bit())),
            18 => mov(1, self.bit(), Operand::Int(self.below(2))),
            _ => call(FuncId(1), &[(WIDTH, self.operand())], &[self.value()]),
        }
    }

    fn rare(&mut self, len: u64) -> Instr {
        match self.below(8) {
            0 => store(WIDTH, G, r(self.value())),
            1 => binary(
                self.pick(&[BinOp::And, BinOp::URem, BinOp::SRem]),
                WIDTH,
                self.value(),
                self.operand(),
                int(3),
            ),
            2 => Instr::Switch {
                width: WIDTH,
                value: self.operand(),
                cases: Box::new([(1, self.below(len) as Pc), (1022, self.below(len) as Pc)]),
                default: self.below(len) as Pc,
            },
            3 => ABORT,
            4 => ret(&[]),
            5 => Instr::Select {
                width: WIDTH,
                dst: Reg(self.value()),
                cond: r(self.bit()),
                yes: self.operand(),
                no: self.operand(),
            },
            6 => cast(CastOp::Trunc, WIDTH, 1, self.bit(), self.operand()),
            _ => nondet(WIDTH, self.value()),
        }
    }

    fn code(&mut self, len: u64, end: Instr) -> Vec<Instr> {
        (0..len - 1).map(|_| self.instr(len)).chain([end]).collect()
    }
}

fn random_program(seed: u64) -> Program {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let mut program = program();
    intern(&mut program, "nondet");
    add_global(&mut program, "g", 4);
    let slots = [WIDTH, WIDTH, WIDTH, 1, 1, 16];
    let main = add_function(&mut program, "main", &[], &[]);
    let len = 6 + random.below(10);
    let mut code = random.code(len, ret(&[]));
    code[0] = nondet(WIDTH, 0);
    set_code(&mut program, main, &slots, code);
    let helper = add_function(&mut program, "helper", &[WIDTH], &[WIDTH]);
    let len = 3 + random.below(4);
    let end = ret(&[(WIDTH, random.operand())]);
    let mut code = random.code(len, end.clone());
    // No recursion, and results of the right number.
    for instr in &mut code {
        if matches!(instr, Instr::Call { .. } | Instr::Return { .. }) {
            *instr = end.clone();
        }
    }
    set_code(&mut program, helper, &slots[1..], code);
    validate(&program).unwrap();
    program
}

/// What can be seen of one run: what it stored, and how it ended.
type Run = Vec<String>;

/// Runs `main` with this value at the first choice and `others` at all further
/// ones; `None` if an assumption fails.
fn run(program: &Program, first: u64, others: u64) -> Option<Run> {
    let mut seen = Run::new();
    let mut frames = vec![(FuncId(0), 0, vec![0u64; 8])];
    let mut chosen = false;
    for _ in 0..300 {
        let depth = frames.len();
        let (function, pc, regs) = frames.last_mut().unwrap();
        let instr = &program.function(*function).code[*pc as usize];
        *pc += 1;
        let get = |regs: &[u64], operand: &Operand| match operand {
            Operand::Reg(reg) => regs[reg.0 as usize],
            Operand::Int(value) => *value,
            _ => 0,
        };
        match instr {
            Instr::Move { dst, src, .. } => regs[dst.0 as usize] = get(regs, src),
            Instr::Compare { pred, width, dst, lhs, rhs } => {
                regs[dst.0 as usize] = fold::compare(*pred, *width, get(regs, lhs), get(regs, rhs)).into();
            }
            Instr::Cast { op, from, to, dst, src } => {
                regs[dst.0 as usize] = fold::cast(*op, *from, *to, get(regs, src)).unwrap();
            }
            Instr::Binary { op, width, dst, lhs, rhs, .. } => {
                regs[dst.0 as usize] = fold::binary(*op, *width, get(regs, lhs), get(regs, rhs)).unwrap();
            }
            Instr::Select { dst, cond, yes, no, .. } => {
                regs[dst.0 as usize] = get(regs, if get(regs, cond) != 0 { yes } else { no });
            }
            Instr::Nondet { dst, .. } => {
                regs[dst.0 as usize] = if chosen { others } else { first };
                chosen = true;
            }
            Instr::Store { value, .. } => seen.push(format!("store {}", get(regs, value))),
            Instr::Jump { target } => *pc = *target,
            Instr::Branch { cond, yes, no } => *pc = if get(regs, cond) != 0 { *yes } else { *no },
            Instr::Switch { value, cases, default, .. } => {
                let value = get(regs, value);
                *pc = cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, pc)| *pc);
            }
            Instr::Assume { cond } if get(regs, cond) == 0 => {
                // What was seen before is seen whatever happens then.
                seen.push("infeasible".to_owned());
                return (seen.len() > 1).then_some(seen);
            }
            Instr::Assume { .. } => {}
            Instr::Exit { .. } => {
                seen.push("abort".to_owned());
                return Some(seen);
            }
            Instr::Call { args, .. } => {
                let mut fresh = vec![0; 8];
                fresh[0] = get(regs, &args[0].value);
                frames.push((FuncId(1), 0, fresh));
            }
            Instr::Return { values } if depth > 1 => {
                let result = get(regs, &values[0].value);
                frames.pop();
                let (function, pc, regs) = frames.last_mut().unwrap();
                let Instr::Call { dsts, .. } = &program.function(*function).code[*pc as usize - 1] else {
                    panic!("no call");
                };
                regs[dsts[0].0 as usize] = result;
            }
            Instr::Return { .. } => {
                seen.push("end".to_owned());
                return Some(seen);
            }
            other => panic!("{other:?}"),
        }
    }
    seen.push("runs on".to_owned());
    Some(seen)
}

#[test]
fn narrowed_domains_show_every_run() {
    let seeds = std::env::var("THREADPROOF_DOMAIN_SEEDS").map_or(1000, |n| n.parse().unwrap());
    let mut narrowed_to_few = 0;
    for seed in 0..seeds {
        let program = random_program(seed);
        let mut narrow = program.clone();
        narrow_nondets(&mut narrow);
        let Instr::Nondet { domain, .. } = &narrow.functions[0].code[0] else { panic!() };
        let Some(count) = domain.count(WIDTH) else { continue };
        narrowed_to_few += u64::from(count < 20);
        for others in [0, 3, 1020] {
            let all: BTreeSet<Run> =
                (0..1 << WIDTH).filter_map(|value| run(&program, value, others)).collect();
            let few: BTreeSet<Run> =
                (0..count).filter_map(|i| run(&program, domain.value(i, WIDTH), others)).collect();
            assert_eq!(all, few, "seed {seed}, others {others}, {domain:?}\n{program}");
        }
    }
    assert!(narrowed_to_few > seeds / 2, "{narrowed_to_few}");
}
