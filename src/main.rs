//! The `hattrick` program: hands the arguments to `cli` and returns its exit code.

fn main() -> std::process::ExitCode {
    hattrick::cli::run(std::env::args_os())
}
