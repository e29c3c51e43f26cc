//! Canonical names of types in signatures, selectors, interface ids.

use super::{ContractId, Hir, Signature, TyId};
use hornet_ir::hash::selector;

/// `f(uint256,(address,bytes)[])` from a name and parameter types. `library`: with the names that libraries' functions use (`C.S`,
/// `uint256[] storage`).
pub fn signature_text(_hir: &Hir, _name: &str, _params: &[TyId], _library: bool) -> String {
    String::new()
}

/// The signature and its selector.
pub fn signature(hir: &Hir, name: &str, params: &[TyId], library: bool) -> Signature {
    let text = signature_text(hir, name, params, library);
    Signature { selector: selector(&text), text }
}

/// `type(I).interfaceId`: of the functions declared in the interface itself, not of inherited ones.
pub fn interface_id(_hir: &Hir, _contract: ContractId) -> [u8; 4] {
    [0; 4]
}
