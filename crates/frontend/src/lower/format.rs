//! Format strings of the `printf` family: which arguments they read.

/// What a conversion does with its argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// Prints an integer of so many bytes.
    Integer(Size),
    /// Prints a `double`.
    Float,
    /// Prints a `long double`.
    LongDouble,
    /// Prints the text that a pointer leads to, of so many bytes at most.
    Text(Most),
    /// Prints a pointer.
    Pointer,
    /// Stores how much was printed, as an integer of this size.
    Count(Size),
}

/// The size of an integer argument.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Size {
    /// `char`, promoted where it is printed.
    Char,
    /// `short`, promoted where it is printed.
    Short,
    /// `int`.
    Int,
    /// `long`, `size_t`, `ptrdiff_t`.
    Long,
    /// `long long`, `intmax_t`.
    LongLong,
}

/// How much of a text is read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Most {
    /// Up to its end.
    All,
    /// The precision in the format.
    Bytes(u64),
    /// The argument before it.
    Given,
}

/// A conversion: the text of it, and what it reads.
#[derive(Clone, PartialEq, Debug)]
pub struct Conversion {
    /// As it stands in the format.
    pub text: String,
    /// What it does.
    pub kind: Kind,
}

/// The arguments that a format reads, in order; `None` if it has a conversion
/// that is not known here.
pub fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        let mut reader = Reader { text: &rest[start..], at: 1 };
        reader.conversion(&mut found)?;
        rest = &rest[start + reader.at..];
    }
    Some(found)
}

/// Reads one conversion, from its percent sign on.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn take(&mut self) -> u8 {
        self.at += 1;
        self.text.get(self.at - 1).copied().unwrap_or(0)
    }

    fn take_if(&mut self, byte: u8) -> bool {
        let same = self.peek() == byte;
        self.at += usize::from(same);
        same
    }

    fn conversion(&mut self, found: &mut Vec<Conversion>) -> Option<()> {
        while b"-+ #0'".contains(&self.peek()) && self.peek() != 0 {
            self.at += 1;
        }
        self.number(found);
        let most = if self.take_if(b'.') { self.number(found) } else { Most::All };
        let (size, long_double) = self.size();
        let kind = match self.take() {
            b'%' | b'm' => return Some(()),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => Kind::Integer(size),
            b'c' if size == Size::Int => Kind::Integer(Size::Int),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if long_double => Kind::LongDouble,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Kind::Float,
            b's' if size == Size::Int => Kind::Text(most),
            b'p' => Kind::Pointer,
            b'n' => Kind::Count(size),
            _ => return None,
        };
        let text = String::from_utf8_lossy(&self.text[..self.at.min(self.text.len())]).into_owned();
        found.push(Conversion { text, kind });
        Some(())
    }

    /// A width or a precision; a star reads an argument.
    fn number(&mut self, found: &mut Vec<Conversion>) -> Most {
        if self.take_if(b'*') {
            found.push(Conversion { text: "*".to_owned(), kind: Kind::Integer(Size::Int) });
            return Most::Given;
        }
        let mut value = 0u64;
        while self.peek().is_ascii_digit() {
            value = value.saturating_mul(10).saturating_add(u64::from(self.take() - b'0'));
        }
        Most::Bytes(value)
    }

    /// The length modifiers; and whether one of them is `L`.
    fn size(&mut self) -> (Size, bool) {
        let start = self.at;
        while b"hlqjztL".contains(&self.peek()) && self.peek() != 0 {
            self.at += 1;
        }
        match &self.text[start..self.at] {
            b"hh" => (Size::Char, false),
            b"h" => (Size::Short, false),
            b"l" | b"z" | b"t" => (Size::Long, false),
            b"ll" | b"q" | b"j" => (Size::LongLong, false),
            b"L" => (Size::LongLong, true),
            _ => (Size::Int, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(format: &str) -> Option<Vec<Kind>> {
        conversions(format.as_bytes()).map(|all| all.into_iter().map(|c| c.kind).collect())
    }

    #[test]
    fn plain_text_reads_nothing() {
        assert_eq!(kinds("100 %% done\n"), Some(vec![]));
    }

    #[test]
    fn sizes_of_integers() {
        use Kind::Integer;
        let all = vec![Integer(Size::Int), Integer(Size::Long), Integer(Size::LongLong), Integer(Size::Char)];
        assert_eq!(kinds("%d %zu %lld %hhx"), Some(all));
    }

    #[test]
    fn texts_with_and_without_precision() {
        let all = vec![Kind::Text(Most::All), Kind::Text(Most::Bytes(3)), Kind::Text(Most::Bytes(0))];
        assert_eq!(kinds("%s %-8.3s %.s"), Some(all));
    }

    #[test]
    fn stars_read_arguments() {
        let star = Kind::Integer(Size::Int);
        assert_eq!(kinds("%*.*s"), Some(vec![star, star, Kind::Text(Most::Given)]));
    }

    #[test]
    fn floats_pointers_and_counts() {
        let all = vec![Kind::Float, Kind::LongDouble, Kind::Pointer, Kind::Count(Size::Short)];
        assert_eq!(kinds("%5.2f %Lg %p %hn"), Some(all));
    }

    #[test]
    fn an_unknown_conversion_is_not_guessed() {
        assert_eq!(kinds("%y"), None);
        assert_eq!(kinds("%ls"), None);
        assert_eq!(kinds("%"), None);
    }
}
