//! Validation against JSON schemas, as far as the schemas of the tests need
//! it. A keyword that is not known fails the test: nothing is left out.

use serde_json::{Map, Value};

/// Fails if the value is not as the schema demands.
#[track_caller]
pub fn assert_valid(value: &Value, schema: &Value) {
    if let Err(error) = (Schemas { root: schema }).check(value, schema, "") {
        panic!("not valid: {error}\n{value:#}");
    }
}

struct Schemas<'a> {
    root: &'a Value,
}

type Checked = Result<(), String>;

fn demand(holds: bool, at: &str, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(format!("{at}: {}", what())) }
}

impl Schemas<'_> {
    fn check(&self, value: &Value, schema: &Value, at: &str) -> Checked {
        let Some(schema) = schema.as_object() else {
            return demand(schema != &Value::Bool(false), at, || "it must not be there".to_owned());
        };
        schema.iter().try_for_each(|(keyword, argument)| self.keyword(value, schema, keyword, argument, at))
    }

    fn keyword(
        &self,
        value: &Value,
        schema: &Map<String, Value>,
        keyword: &str,
        argument: &Value,
        at: &str,
    ) -> Checked {
        match keyword {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" => Ok(()),
            "$ref" => self.check(value, self.referred(argument), at),
            "type" => demand(has_type(value, argument), at, || format!("{value} is not of type {argument}")),
            "enum" => demand(list(argument).contains(value), at, || format!("{value} is not in {argument}")),
            "anyOf" | "oneOf" => {
                let fitting =
                    list(argument).iter().filter(|each| self.check(value, each, at).is_ok()).count();
                let enough = fitting == 1 || (fitting > 1 && keyword == "anyOf");
                demand(enough, at, || format!("it fits {fitting} of {keyword}"))
            }
            "minimum" => number(value, |n| n >= number_of(argument), at, keyword),
            "maximum" => number(value, |n| n <= number_of(argument), at, keyword),
            "format" => format(value, argument, at),
            "required" | "properties" | "additionalProperties" => {
                let Some(object) = value.as_object() else { return Ok(()) };
                self.object(object, schema, keyword, argument, at)
            }
            "items" | "minItems" | "uniqueItems" => {
                let Some(items) = value.as_array() else { return Ok(()) };
                self.array(items, keyword, argument, at)
            }
            _ => panic!("{at}: the tests do not know the keyword {keyword}"),
        }
    }

    fn object(
        &self,
        object: &Map<String, Value>,
        schema: &Map<String, Value>,
        keyword: &str,
        argument: &Value,
        at: &str,
    ) -> Checked {
        let known = schema.get("properties").and_then(Value::as_object);
        let schema_of = |name: &str| known.and_then(|known| known.get(name));
        let below = |name: &str| format!("{at}/{name}");
        match keyword {
            "required" => {
                let missing = list(argument).iter().filter_map(Value::as_str);
                let missing: Vec<&str> = missing.filter(|name| !object.contains_key(*name)).collect();
                demand(missing.is_empty(), at, || format!("{missing:?} is missing"))
            }
            "properties" => object.iter().try_for_each(|(name, value)| match schema_of(name) {
                Some(schema) => self.check(value, schema, &below(name)),
                None => Ok(()),
            }),
            _ => {
                let mut others = object.iter().filter(|(name, _)| schema_of(name).is_none());
                others.try_for_each(|(name, value)| self.check(value, argument, &below(name)))
            }
        }
    }

    fn array(&self, items: &[Value], keyword: &str, argument: &Value, at: &str) -> Checked {
        match keyword {
            "items" => {
                let mut numbered = items.iter().enumerate();
                numbered.try_for_each(|(index, item)| self.check(item, argument, &format!("{at}/{index}")))
            }
            "minItems" => {
                demand(items.len() as f64 >= number_of(argument), at, || "there are too few".to_owned())
            }
            _ => {
                let repeated = |(index, item)| items[..index].contains(item);
                let unique = argument == &Value::Bool(false) || !items.iter().enumerate().any(repeated);
                demand(unique, at, || "an item is there twice".to_owned())
            }
        }
    }

    fn referred(&self, reference: &Value) -> &Value {
        let path = reference.as_str().and_then(|text| text.strip_prefix('#')).expect("it is in this schema");
        self.root.pointer(path).unwrap_or_else(|| panic!("there is no {reference}"))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("it is a list")
}

fn number_of(value: &Value) -> f64 {
    value.as_f64().expect("it is a number")
}

fn number(value: &Value, holds: impl FnOnce(f64) -> bool, at: &str, keyword: &str) -> Checked {
    demand(value.as_f64().is_none_or(holds), at, || format!("{value} is beyond the {keyword}"))
}

fn has_type(value: &Value, types: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the tests do not know the type {other}"),
    };
    types.as_str().map_or_else(|| list(types).iter().filter_map(Value::as_str).any(is), is)
}

fn format(value: &Value, name: &Value, at: &str) -> Checked {
    let text = value.as_str().unwrap_or_default();
    let fits = match name.as_str() {
        Some("uri") => text.contains(':') && !text.contains([' ', '"', '<', '>', '\\']),
        Some("uri-reference") => !text.contains([' ', '"', '<', '>', '\\']),
        other => panic!("{at}: the tests do not know the format {other:?}"),
    };
    demand(fits, at, || format!("{value} is no {name}"))
}
