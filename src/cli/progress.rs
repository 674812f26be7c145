//! How far long work is: a bar on standard error where somebody watches, and nothing where there is no terminal at all.

/// A bar that comes and goes within this time would only flicker.
#[cfg(not(target_family = "wasm"))]
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(100);

/// A bar that fills.
pub(super) struct Progress(#[cfg(not(target_family = "wasm"))] indicatif::ProgressBar);

#[cfg(not(target_family = "wasm"))]
impl Progress {
    /// For so many pieces of work, named.
    pub fn new(length: u64, what: &str) -> Progress {
        Progress::with_template(length, &format!("{{bar:30}} {{pos}}/{{len}} {what} {{eta}}"))
    }

    /// In percent, for work that takes a while before anything is done.
    pub fn in_percent(length: u64) -> Progress {
        let progress = Progress::with_template(length, "{bar:40} {percent}% {eta} left");
        progress.0.enable_steady_tick(PATIENCE);
        progress
    }

    fn with_template(length: u64, template: &str) -> Progress {
        let style = indicatif::ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar());
        Progress(indicatif::ProgressBar::new(length).with_style(style))
    }

    /// One piece more is done.
    pub fn step(&self) {
        self.0.inc(1);
    }

    /// So much is done.
    pub fn set(&self, done: u64) {
        self.0.set_position(done);
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.0.finish_and_clear();
    }
}

#[cfg(target_family = "wasm")]
#[allow(missing_docs, clippy::unused_self, reason = "the same as above, with nothing to show")]
impl Progress {
    pub fn new(_length: u64, _what: &str) -> Progress {
        Progress()
    }

    pub fn in_percent(_length: u64) -> Progress {
        Progress()
    }

    pub fn step(&self) {}

    pub fn set(&self, _done: u64) {}

    pub fn finish(self) {}
}
