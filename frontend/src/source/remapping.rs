//! `[context:]prefix=target` redirections of import paths.

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remapping {
    /// Applies only to imports in sources whose name starts with this; empty for all.
    pub context: String,
    pub prefix: String,
    pub target: String,
}

impl Remapping {
    pub fn parse(text: &str) -> Result<Remapping, String> {
        let (left, target) = text.trim().split_once('=').ok_or_else(|| format!("`{text}` has no `=`"))?;
        let (context, prefix) = left.split_once(':').unwrap_or(("", left));
        if prefix.is_empty() {
            return Err(format!("`{text}` has nothing before `=`"));
        }
        Ok(Remapping { context: context.to_string(), prefix: prefix.to_string(), target: target.to_string() })
    }
}

/// The import path after redirection. As in the compiler the longest context wins, then the longest prefix, then
/// the last one given.
pub(super) fn apply(remappings: &[Remapping], path: &str, importer: &str) -> Option<String> {
    let matching =
        remappings.iter().filter(|r| importer.starts_with(&r.context) && path.starts_with(&r.prefix));
    let best = matching.max_by_key(|r| (r.context.len(), r.prefix.len()))?;
    Some(format!("{}{}", best.target, &path[best.prefix.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(list: &[&str], path: &str, importer: &str) -> Option<String> {
        let remappings: Vec<_> = list.iter().map(|r| Remapping::parse(r).expect(r)).collect();
        apply(&remappings, path, importer)
    }

    #[test]
    fn longest_prefix_wins() {
        let list = ["@oz/=a/", "@oz/token/=b/", "@oz/=c/"];
        assert_eq!(map(&list, "@oz/token/T.sol", "x.sol").as_deref(), Some("b/T.sol"));
        assert_eq!(map(&list, "@oz/U.sol", "x.sol").as_deref(), Some("c/U.sol"));
        assert_eq!(map(&list, "oz/U.sol", "x.sol"), None);
    }

    #[test]
    fn context_beats_prefix_and_limits() {
        let list = ["@oz/token/=long/", "lib/a:@oz/=near/"];
        assert_eq!(map(&list, "@oz/token/T.sol", "lib/a/X.sol").as_deref(), Some("near/token/T.sol"));
        assert_eq!(map(&list, "@oz/token/T.sol", "src/X.sol").as_deref(), Some("long/T.sol"));
        assert_eq!(map(&list, "@oz/U.sol", "src/X.sol"), None);
    }

    #[test]
    fn malformed() {
        assert!(Remapping::parse("abc").is_err());
        assert!(Remapping::parse("=abc").is_err());
        assert!(Remapping::parse("ctx:=abc").is_err());
        assert!(Remapping::parse("abc=").is_ok());
    }
}
