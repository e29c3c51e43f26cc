//! `--witness-out`: the dearest run of each function as a Foundry test.

use super::report::Report;
use hornet_evm::foundry_test::{GasRun, gas_test};
use std::path::Path;

impl Report<'_> {
    pub fn write_witnesses(&self, folder: &Path) -> Result<(), String> {
        std::fs::create_dir_all(folder)
            .map_err(|e| format!("--witness-out: cannot make `{}`: {e}", folder.display()))?;
        for contract in &self.contracts {
            let name = &self.program.contracts[contract.gas.contract].name;
            for function in contract.functions.iter().map(|f| f.function) {
                let Some(run) = function.runs.dearest() else { continue };
                let text = gas_test(&GasRun {
                    contract: name,
                    function: &function.signature,
                    state: &run.state,
                    to: run.contract,
                    message: &run.message,
                    succeeds: run.returns(),
                    execution: run.measurement.execution,
                });
                let path = folder.join(file_name(name, &function.signature));
                std::fs::write(&path, text)
                    .map_err(|e| format!("--witness-out: cannot write `{}`: {e}", path.display()))?;
            }
        }
        Ok(())
    }
}

/// `Token_transfer_address_uint256_gas.t.sol`
fn file_name(contract: &str, signature: &str) -> String {
    let words: Vec<&str> =
        signature.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!("{contract}_{}_gas.t.sol", words.join("_"))
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_of_files() {
        assert_eq!(file_name("C", "f(uint256[],(bool,int8))"), "C_f_uint256_bool_int8_gas.t.sol");
        assert_eq!(file_name("C", "receive()"), "C_receive_gas.t.sol");
    }
}
