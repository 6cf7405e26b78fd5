//! The report as one page that needs nothing else: the fault in the source, the
//! interleaving as a picture to step through, the values at each step.
//!
//! The page is `page.html`, `page.css` and the parts of one script; [`data`] is
//! what it shows.

mod data;
mod flows;

use crate::Sources;
use crate::folding::folded;
use crate::interleaving::Interleaving;
use crate::view::View;

/// The parts of the script, in the order in which they need each other.
const SCRIPT: [&str; 7] = [
    include_str!("common.js"),
    include_str!("source.js"),
    include_str!("picture.js"),
    include_str!("stepping.js"),
    include_str!("values.js"),
    include_str!("details.js"),
    include_str!("start.js"),
];

/// The report as an HTML page. What libraries do inside is one step for each call, unless all is to
/// be shown.
pub fn html(view: &View<'_>, sources: &dyn Sources, full: bool) -> String {
    let told = view.violation().and_then(|violation| violation.interleaving);
    let told = told.map(|told| match full {
        true => told.clone(),
        false => Interleaving { lines: folded(&told.lines), ..told.clone() },
    });
    let data = data::Data::new(view, told.as_ref(), sources);
    let data = serde_json::to_string(&data).expect("a report has only string keys");
    let title = format!("{}: {}", view.verdict(), view.headline());
    let parts = [
        ("{{title}}", escape(&title)),
        ("{{style}}", include_str!("page.css").to_owned()),
        ("{{data}}", embed(&data)),
        ("{{script}}", format!("\"use strict\";\n(() => {{\n{}}})();", SCRIPT.join("\n"))),
    ];
    fill(include_str!("page.html"), &parts)
}

/// Puts the parts where the template names them. What a part contains is not
/// looked at again.
fn fill(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    for (name, part) in parts {
        let (before, after) = rest.split_once(name).expect("the template has every part once, in order");
        out.push_str(before);
        out.push_str(part);
        rest = after;
    }
    out + rest
}

/// JSON that may stand in a script: nothing in it ends the script or starts a
/// comment.
fn embed(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_script() {
        assert_eq!(embed(r#"{"a":"</script><!--"}"#), r#"{"a":"\u003c/script>\u003c!--"}"#);
    }

    #[test]
    fn parts_are_not_looked_at_again() {
        let parts = [("{{a}}", "{{b}}".to_owned()), ("{{b}}", "x".to_owned())];
        assert_eq!(fill("1{{a}}2{{b}}3", &parts), "1{{b}}2x3");
    }
}
