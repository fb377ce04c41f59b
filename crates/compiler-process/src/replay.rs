//! `--replay FILE`: repeats a request that crashed the compiler, for a person.

use std::process::ExitCode;

use muxcl_compiler::{STATUS_BUG, STATUS_OK};
use muxcl_compiler_abi::{Response, STACK_BYTES};

use crate::bounds::{Bounds, Timer};
use crate::{crash, memory};

/// Answers the request in `file` as a server would, and writes the log.
pub(crate) fn run(file: &str) -> ExitCode {
    let request = match std::fs::read(file) {
        Ok(request) => request,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    crash::install();
    let bounds = Bounds::from_env();
    let (sender, receiver) = std::sync::mpsc::channel();
    let started = muxcl_os::spawn_detached("compile", STACK_BYTES, move || {
        crash::prepare_thread();
        let timer = Timer::new();
        timer.set(bounds.seconds);
        memory::start(bounds.bytes);
        let give_up = sender.clone();
        let answer = muxcl_compiler::handle_in_place(&request, None, &|response| {
            let _ = give_up.send((STATUS_BUG, response.to_vec()));
        });
        let _ = sender.send(answer);
    });
    let answer = started.map_err(|e| e.to_string()).and_then(|()| {
        receiver.recv().map_err(|_| "the request ended without an answer".to_owned())
    });
    match answer {
        Ok((status, bytes)) => {
            match postcard::from_bytes(&bytes) {
                Ok(Response::Module { log, .. }) => eprintln!("{log}the program was built"),
                Ok(Response::Failure { log, .. }) => eprintln!("{log}"),
                Ok(_) => eprintln!("the request was answered"),
                Err(_) => eprintln!("{file} contains no request of this version"),
            }
            if status == STATUS_OK { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
