//! What the environment says: build tools pass on no options of ours.

use std::time::Duration;

/// How long a build waits for verification.
const USUAL_TIME: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Deny {
    Nothing,
    /// What is violated is an error.
    Violated,
    /// What is not proved is an error.
    Unproved,
}

#[derive(Clone, Debug)]
pub struct Wishes {
    /// None at all switches verification off.
    pub time: Duration,
    pub deny: Deny,
}

impl Wishes {
    pub fn of_environment() -> Result<Wishes, String> {
        let read = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
        Wishes::parse(read("HORNET_TIME").as_deref(), read("HORNET_DENY").as_deref())
    }

    fn parse(time: Option<&str>, deny: Option<&str>) -> Result<Wishes, String> {
        let sensible = |n: &f64| *n == 0.0 || (0.1..=1e6).contains(n);
        let seconds = |text: &str| text.parse().ok().filter(sensible);
        let time = match time {
            None => USUAL_TIME,
            Some(text) => Duration::from_secs_f64(
                seconds(text).ok_or_else(|| format!("HORNET_TIME: `{text}` is no number of seconds"))?,
            ),
        };
        let deny = match deny {
            None | Some("nothing") => Deny::Nothing,
            Some("violated") => Deny::Violated,
            Some("unproved") => Deny::Unproved,
            Some(other) => {
                return Err(format!("HORNET_DENY: `{other}` is none of `nothing`, `violated`, `unproved`"));
            }
        };
        Ok(Wishes { time, deny })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read_and_typos_told() {
        let usual = Wishes::parse(None, None).unwrap();
        assert_eq!((usual.time, usual.deny), (USUAL_TIME, Deny::Nothing));
        let strict = Wishes::parse(Some("0.5"), Some("violated")).unwrap();
        assert_eq!((strict.time, strict.deny), (Duration::from_millis(500), Deny::Violated));
        assert!(Wishes::parse(Some("0"), None).unwrap().time.is_zero());
        for (time, deny) in
            [(Some("-1"), None), (Some("soon"), None), (Some("NaN"), None), (None, Some("all"))]
        {
            assert!(Wishes::parse(time, deny).is_err(), "{time:?} {deny:?}");
        }
    }
}
