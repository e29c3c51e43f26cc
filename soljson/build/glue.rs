//! The names in the JavaScript around the module. The module itself has only minified ones.

/// Minified name and function: `var asmLibraryArg = { "a": _abort, "b": invoke_ii };`
pub fn imports(glue: &str) -> Result<Vec<(String, String)>, String> {
    let start = "var asmLibraryArg = {";
    let (_, rest) = glue.split_once(start).ok_or_else(|| format!("it has no `{start}`"))?;
    let (object, _) = rest.split_once('}').ok_or("the list of imports has no end")?;
    let pairs = object.split(',').filter(|field| !field.trim().is_empty());
    pairs.map(|field| import(field).ok_or_else(|| format!("`{}` is no import", field.trim()))).collect()
}

fn import(field: &str) -> Option<(String, String)> {
    let (key, value) = field.split_once(':')?;
    let key = key.trim().strip_prefix('"')?.strip_suffix('"')?;
    let value = value.trim();
    is_name(value).then(|| (key.to_owned(), value.to_owned()))
}

/// Function and minified name: `var _free = Module["_free"] = asm["Kb"];`
pub fn exports(glue: &str) -> Result<Vec<(String, String)>, String> {
    let found: Vec<_> = glue.lines().filter_map(export).collect();
    if found.is_empty() { Err("it exports nothing".to_owned()) } else { Ok(found) }
}

fn export(line: &str) -> Option<(String, String)> {
    let (name, rest) = line.strip_prefix("var ")?.split_once(" = ")?;
    let rest = rest.strip_prefix("Module[\"")?.strip_prefix(name)?;
    let key = rest.strip_prefix("\"] = asm[\"")?.strip_suffix("\"];")?;
    is_name(name).then(|| (name.to_owned(), key.to_owned()))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}
