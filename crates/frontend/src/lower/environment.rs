//! Functions of the operating system and of streams: they read and fill the
//! memory that they are given, and what they return is an input.
//!
//! Each is described by a line of a table: what it does with its arguments,
//! and between which bounds its result lies. Those that need more than a line
//! are written in C, in the run-time library.

use ir::Operand;
use smallvec::smallvec;

use super::What;
use super::body::{Body, Operands, zero};
use super::known_calls::Call;

/// What happens to an argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Effect {
    /// A text is read to its end.
    Text(usize),
    /// The same, unless the pointer is null.
    MaybeText(usize),
    /// Bytes are read.
    Read(usize, Length),
    /// Bytes are filled with anything.
    Fill(usize, Length),
    /// A stream is used: it must be open.
    Stream(usize),
    /// The value is printed.
    Print(usize),
}

/// How many bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Length {
    /// As many as the argument says.
    Arg(usize),
    /// The product of two arguments.
    Product(usize, usize),
}

/// What is returned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Answer {
    /// A number between these two.
    Between(i64, i64),
    /// A number that is not below this one.
    AtLeast(i64),
    /// A number from the first up to the argument with this index.
    UpTo(i64, usize),
    /// Any value.
    Anything,
}

/// A function of the environment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Function {
    effects: &'static [Effect],
    result: Answer,
}

/// The function with this name.
pub fn function(name: &str) -> Option<Function> {
    use Answer::*;
    use Effect::*;
    use Length::*;
    let (effects, result): (&'static [Effect], Answer) = match name {
        // Output.
        "puts" => (&[Text(0)], AtLeast(-1)),
        "fputs" | "fputs_unlocked" => (&[Text(0), Stream(1)], AtLeast(-1)),
        "perror" => (&[MaybeText(0)], Anything),
        "psignal" => (&[MaybeText(1)], Anything),
        "putchar" | "putchar_unlocked" => (&[Print(0)], Between(-1, 255)),
        "fputc" | "putc" | "_IO_putc" | "putc_unlocked" => (&[Print(0), Stream(1)], Between(-1, 255)),
        "ungetc" => (&[Stream(1)], Between(-1, 255)),
        "fwrite" | "fwrite_unlocked" => (&[Read(0, Product(1, 2)), Stream(3)], UpTo(0, 2)),
        "write" => (&[Read(1, Arg(2))], UpTo(-1, 2)),
        "pwrite" | "pwrite64" => (&[Read(1, Arg(2))], UpTo(-1, 2)),
        "send" | "sendto" => (&[Read(1, Arg(2))], UpTo(-1, 2)),
        "openlog" => (&[MaybeText(0)], Anything),
        // Streams.
        "fflush" => (&[], Between(-1, 0)),
        "fread" | "fread_unlocked" => (&[Fill(0, Product(1, 2)), Stream(3)], UpTo(0, 2)),
        "fgetc" | "getc" | "_IO_getc" | "getc_unlocked" => (&[Stream(0)], Between(-1, 255)),
        "getchar" | "getchar_unlocked" => (&[], Between(-1, 255)),
        "feof" | "ferror" => (&[Stream(0)], Between(0, 1)),
        "clearerr" | "rewind" | "setbuf" | "setlinebuf" => (&[Stream(0)], Anything),
        "setvbuf" => (&[Stream(0)], Between(0, 1)),
        "fseek" | "fseeko" | "fseeko64" => (&[Stream(0)], Between(-1, 0)),
        "ftell" | "ftello" | "ftello64" | "fileno" => (&[Stream(0)], AtLeast(-1)),
        "remove" | "unlink" | "rmdir" | "mkdir" | "chdir" | "access" | "chmod" | "mkfifo" | "truncate" => {
            (&[Text(0)], Between(-1, 0))
        }
        "rename" | "link" | "symlink" => (&[Text(0), Text(1)], Between(-1, 0)),
        // Descriptors.
        "open" | "open64" | "creat" | "shm_open" => (&[Text(0)], AtLeast(-1)),
        "shm_unlink" | "sem_unlink" => (&[Text(0)], Between(-1, 0)),
        "close" | "fsync" | "fdatasync" | "ftruncate" | "ftruncate64" | "flock" => (&[], Between(-1, 0)),
        "read" | "recv" => (&[Fill(1, Arg(2))], UpTo(-1, 2)),
        "pread" | "pread64" => (&[Fill(1, Arg(2))], UpTo(-1, 2)),
        "lseek" | "lseek64" | "dup" | "dup2" | "socket" | "epoll_create" | "epoll_create1" | "fcntl"
        | "timerfd_create" | "inotify_init" => (&[], AtLeast(-1)),
        "bind" | "connect" => (&[Read(1, Arg(2))], Between(-1, 0)),
        "listen" | "shutdown" => (&[], Between(-1, 0)),
        "setsockopt" => (&[Read(3, Arg(4))], Between(-1, 0)),
        "isatty" => (&[], Between(0, 1)),
        // The process and the machine.
        "getppid" | "sched_getcpu" => (&[], AtLeast(0)),
        "system" => (&[MaybeText(0)], Anything),
        "getpriority" => (&[], Between(-20, 20)),
        "rand" | "random" | "lrand48" => (&[], Between(0, 0x7fff_ffff)),
        "mrand48" | "arc4random" => (&[], Anything),
        _ => return None,
    };
    Some(Function { effects, result })
}

/// What the library's functions with this name do not give, though the
/// environment could.
pub fn limits(name: &str) -> &'static [&'static str] {
    match name {
        "getenv" => {
            &["environment variables have at most 3 characters", "getenv orders the threads that call it"]
        }
        "qsort" => &["qsort leaves equal elements in their order"],
        "bsearch" => &["bsearch finds the one of several equal elements that halving comes to first"],
        "processor_count" => &["the machine has at most 2 processors"],
        "fgets" => &["lines that fgets reads do not begin with a character 0"],
        "getline" => &["lines that getline reads have at most 3 characters"],
        "flockfile" | "ftrylockfile" => &["functions that use a stream do not wait for its lock"],
        "getopt_long" => &["POSIXLY_CORRECT is not set"],
        "select" => &["select leaves all of the time that it is given, or nothing of it"],
        "setenv" | "unsetenv" | "putenv" => &[
            "there is memory for environment variables",
            "setenv and its kin order the threads that call them",
        ],
        "getpid" => &["the number of the process is 1000"],
        "gettid" => &["threads are numbered as they are created"],
        _ => &[],
    }
}

impl<'m> Body<'_, 'm> {
    /// Emits a call of a function of the environment.
    pub(super) fn environment(&mut self, function: Function, call: &Call<'m>) -> What<Operands> {
        for effect in function.effects {
            self.effect(*effect, call)?;
        }
        self.environment_result(function.result, call)
    }

    fn effect(&mut self, effect: Effect, call: &Call<'m>) -> What<()> {
        let width = self.lowering.pointer_width;
        let all = self.all();
        let (name, index, size) = match effect {
            Effect::Text(index) => ("__tp_read_text", index, all),
            Effect::MaybeText(index) => ("__tp_maybe_read_text", index, all),
            Effect::Read(index, length) => ("__tp_read_bytes", index, self.length(length, call)?),
            Effect::Fill(index, length) => ("__tp_fill", index, self.length(length, call)?),
            Effect::Stream(index) => {
                return match call.values.get(index) {
                    Some(stream) => self.use_stream(*stream),
                    None => self.use_stream_operand(call.arg(index)?),
                };
            }
            Effect::Print(index) => {
                self.leaves(&call.name, call.arg(index)?, call.width(index));
                return Ok(());
            }
        };
        self.library_call(name, &[(call.arg(index)?, width), (size, width)]);
        Ok(())
    }

    fn length(&mut self, length: Length, call: &Call<'m>) -> What<Operand> {
        let mut wide = |index: usize| -> What<Operand> {
            Ok(self.pointer_wide(call.arg(index)?, call.width(index), false))
        };
        match length {
            Length::Arg(index) => wide(index),
            Length::Product(a, b) => {
                let (a, b) = (wide(a)?, wide(b)?);
                self.saturating_product(a, b)
            }
        }
    }

    /// A product; one that does not fit is larger than any object.
    pub(super) fn saturating_product(&mut self, a: Operand, b: Operand) -> What<Operand> {
        let width = self.lowering.pointer_width;
        if let (Operand::Int(a), Operand::Int(b)) = (a, b) {
            let most = u64::MAX >> (64 - width);
            return Ok(Operand::Int(a.saturating_mul(b).min(most)));
        }
        let product = self.product(a, b);
        let (over, dst) = (self.temp(1), self.temp(width));
        self.emit(ir::Instr::Overflows {
            op: ir::ArithOp::Mul,
            signed: false,
            width,
            dst: over,
            lhs: a,
            rhs: b,
        });
        let yes = self.all();
        self.emit(ir::Instr::Select { width, dst, cond: Operand::Reg(over), yes, no: product });
        Ok(Operand::Reg(dst))
    }

    fn environment_result(&mut self, result: Answer, call: &Call<'m>) -> What<Operands> {
        let widths = self.lowering.widths(call.result)?;
        let [width @ 2..=64] = *widths.as_slice() else {
            return Ok(widths.into_iter().map(zero).collect());
        };
        if !call.used {
            return Ok(smallvec![Operand::Undef]);
        }
        let number = |body: &mut Self, value: i64| Some(body.int(value as u128, width));
        let (low, high) = match result {
            Answer::Anything => (None, None),
            Answer::AtLeast(low) => (number(self, low), None),
            Answer::Between(low, high) => (number(self, low), number(self, high)),
            Answer::UpTo(low, index) => {
                let high = call.arg(index)?;
                let high = self.resize(high, call.width(index), width, false);
                (number(self, low), Some(high))
            }
        };
        let dst = self.result(call, width);
        let value = self.input(&call.name, dst, width, low, high);
        if matches!(result, Answer::Between(-1, _) | Answer::AtLeast(-1) | Answer::UpTo(-1, _)) {
            let code = self.resize(value, width, 32, false);
            self.library_call("__tp_maybe_failed", &[(code, 32)]);
        }
        Ok(smallvec![value])
    }
}
