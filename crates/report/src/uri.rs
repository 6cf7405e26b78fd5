//! Where a run takes place, and paths as addresses (RFC 3986).

use std::path::Path;

/// Where and how the program was run that reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The working directory; relative paths start there.
    pub directory: String,
    /// The arguments of the command line, without the program itself.
    pub arguments: Vec<String>,
}

/// The path as one from the directory, if it lies there.
pub fn relative<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    if !path.starts_with('/') {
        return Some(path.trim_start_matches("./"));
    }
    Path::new(path).strip_prefix(directory).ok().and_then(Path::to_str)
}

/// The path with all characters escaped that an address cannot have.
pub fn path(path: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    path.bytes().map(escaped).collect()
}

/// The address of a directory.
pub fn folder(directory: &str) -> String {
    format!("file://{}/", path(directory.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_addresses() {
        assert_eq!(path("a b/ü#.c"), "a%20b/%C3%BC%23.c");
        assert_eq!((folder("/x"), folder("/")), ("file:///x/".to_owned(), "file:///".to_owned()));
    }

    #[test]
    fn what_lies_in_the_directory_is_relative() {
        assert_eq!(relative("./a.c", "/w"), Some("a.c"));
        assert_eq!(relative("/w/src/a.c", "/w"), Some("src/a.c"));
        assert_eq!(relative("/other/a.c", "/w"), None);
    }
}
