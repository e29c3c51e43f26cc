//! What the build reads in the compiler's JavaScript, and what it refuses.

#[path = "../build/glue.rs"]
mod glue;
#[path = "../build/packed.rs"]
mod packed;

fn pairs(found: Vec<(String, String)>) -> String {
    found.iter().map(|(from, to)| format!("{from}={to}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn names_are_taken_from_the_glue() {
    let glue = r#"
var asmLibraryArg = { "Ea": _abort, "$": invoke_ii,
  "b": ___cxa_throw };
var asm = createWasm();
var _free = Module["_free"] = asm["Kb"];
var stackSave = Module["stackSave"] = asm["$b"];
var other = Module["another"] = asm["x"];
"#;
    assert_eq!(pairs(glue::imports(glue).unwrap()), "Ea=_abort $=invoke_ii b=___cxa_throw");
    assert_eq!(pairs(glue::exports(glue).unwrap()), "_free=Kb stackSave=$b");
}

#[test]
fn glue_that_is_not_understood_is_refused() {
    assert!(glue::imports("var imports = {};").unwrap_err().contains("asmLibraryArg"));
    let function = "var asmLibraryArg = { \"a\": () => 1 };";
    assert!(glue::imports(function).unwrap_err().contains("() => 1"));
    assert!(glue::exports("var x = 1;").unwrap_err().contains("exports nothing"));
}

#[test]
fn the_module_is_taken_from_the_script() {
    let script = "var Module = {};\nModule[\"wasmBinary\"] = (function (a, n) { return u(a, n); })(\"AQID\", 77);\nvar rest;";
    let (packed, rest) = packed::split(script).unwrap();
    assert_eq!((packed.blocks, packed.unpacked_bytes, rest), (vec![1, 2, 3], 77, "\nvar rest;"));
    for (damage, why) in [
        ("\"AQID\"", "packed module"),
        ("AQID", "packed module"),
        ("77", "no size"),
        ("wasmBinary", "wasmBinary"),
    ] {
        let problem = packed::split(&script.replace(damage, "!")).err().unwrap_or_default();
        assert!(problem.contains(why), "{damage}: {problem}");
    }
}
