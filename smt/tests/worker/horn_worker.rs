//! What the `hornet` program is when it is started as a worker.

fn main() -> std::process::ExitCode {
    hornet_smt::solver::worker_main()
}
