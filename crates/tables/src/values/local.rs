//! The time in the zone of the machine.

use std::path::Path;

use chrono::{NaiveDateTime, TimeZone as _};
use chrono_tz::Tz;

/// A time in UTC, in the zone of the machine: that of `TZ`, or of `/etc/localtime`. `None` if the zone is not known.
pub fn of_utc(time: NaiveDateTime) -> Option<NaiveDateTime> {
    let named = std::env::var("TZ").ok().filter(|name| !name.is_empty());
    let zone = match named {
        Some(name) => zone_of(&name)?,
        None => zone_of(&std::fs::read_link("/etc/localtime").ok()?.to_string_lossy())?,
    };
    Some(zone.from_utc_datetime(&time).naive_local())
}

/// The zone of a name or of the path of its file: `Europe/Berlin`, `/usr/share/zoneinfo/Europe/Berlin`.
fn zone_of(name: &str) -> Option<Tz> {
    let name = name.trim_start_matches(':');
    let parts: Vec<_> = Path::new(name).iter().filter_map(|part| part.to_str()).collect();
    (0..parts.len()).find_map(|first| parts[first..].join("/").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_named_or_linked() {
        for name in ["Europe/Berlin", ":Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin"] {
            assert_eq!(zone_of(name), Some(chrono_tz::Europe::Berlin), "{name}");
        }
        assert_eq!((zone_of("Nowhere/Town"), zone_of("UTC")), (None, Some(chrono_tz::UTC)));
    }
}
