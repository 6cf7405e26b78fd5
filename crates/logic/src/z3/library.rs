//! The functions of Z3's C interface that are used, found in the shared
//! library at run time, so that the program starts without it.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};

use libloading::Library;

/// What Z3 calls `Z3_lbool`.
pub const TRUE: c_int = 1;
pub const FALSE: c_int = -1;

pub type Pointer = *mut c_void;
type Unary = unsafe extern "C" fn(Pointer, Pointer) -> Pointer;
type Binary = unsafe extern "C" fn(Pointer, Pointer, Pointer) -> Pointer;
type Ternary = unsafe extern "C" fn(Pointer, Pointer, Pointer, Pointer) -> Pointer;
type Count = unsafe extern "C" fn(Pointer, Pointer);
type Many = unsafe extern "C" fn(Pointer, c_uint, *const Pointer) -> Pointer;

/// Declares the table of functions and how it is filled.
macro_rules! functions {
    ($($name:ident: $symbol:literal as $kind:ty,)*) => {
        /// The functions, by the names that Z3 gives them.
        pub struct Functions {
            $(pub $name: $kind,)*
        }

        impl Functions {
            /// Finds them all; the library stays loaded.
            fn find(library: &Library) -> Result<Functions, libloading::Error> {
                // SAFETY: the types are those of the functions in z3_api.h,
                // which have been the same since Z3 4.8.
                unsafe {
                    Ok(Functions { $($name: *library.get::<$kind>($symbol)?,)* })
                }
            }
        }
    };
}

functions! {
    mk_config: b"Z3_mk_config" as unsafe extern "C" fn() -> Pointer,
    del_config: b"Z3_del_config" as unsafe extern "C" fn(Pointer),
    mk_context: b"Z3_mk_context" as unsafe extern "C" fn(Pointer) -> Pointer,
    del_context: b"Z3_del_context" as unsafe extern "C" fn(Pointer),
    eval_smtlib2_string: b"Z3_eval_smtlib2_string" as
        unsafe extern "C" fn(Pointer, *const c_char) -> *const c_char,
    interrupt: b"Z3_interrupt" as unsafe extern "C" fn(Pointer),
    set_error_handler: b"Z3_set_error_handler" as
        unsafe extern "C" fn(Pointer, Option<unsafe extern "C" fn(Pointer, c_int)>),
    get_error_code: b"Z3_get_error_code" as unsafe extern "C" fn(Pointer) -> c_int,
    get_error_msg: b"Z3_get_error_msg" as unsafe extern "C" fn(Pointer, c_int) -> *const c_char,
    mk_int_symbol: b"Z3_mk_int_symbol" as unsafe extern "C" fn(Pointer, c_int) -> Pointer,
    mk_string_symbol: b"Z3_mk_string_symbol" as unsafe extern "C" fn(Pointer, *const c_char) -> Pointer,
    mk_bool_sort: b"Z3_mk_bool_sort" as unsafe extern "C" fn(Pointer) -> Pointer,
    mk_bv_sort: b"Z3_mk_bv_sort" as unsafe extern "C" fn(Pointer, c_uint) -> Pointer,
    mk_const: b"Z3_mk_const" as Binary,
    mk_numeral: b"Z3_mk_numeral" as unsafe extern "C" fn(Pointer, *const c_char, Pointer) -> Pointer,
    mk_true: b"Z3_mk_true" as unsafe extern "C" fn(Pointer) -> Pointer,
    mk_false: b"Z3_mk_false" as unsafe extern "C" fn(Pointer) -> Pointer,
    mk_not: b"Z3_mk_not" as Unary,
    mk_and: b"Z3_mk_and" as Many,
    mk_xor: b"Z3_mk_xor" as Binary,
    mk_implies: b"Z3_mk_implies" as Binary,
    mk_eq: b"Z3_mk_eq" as Binary,
    mk_ite: b"Z3_mk_ite" as Ternary,
    mk_bvnot: b"Z3_mk_bvnot" as Unary,
    mk_bvneg: b"Z3_mk_bvneg" as Unary,
    mk_bvand: b"Z3_mk_bvand" as Binary,
    mk_bvxor: b"Z3_mk_bvxor" as Binary,
    mk_bvadd: b"Z3_mk_bvadd" as Binary,
    mk_bvmul: b"Z3_mk_bvmul" as Binary,
    mk_bvudiv: b"Z3_mk_bvudiv" as Binary,
    mk_bvurem: b"Z3_mk_bvurem" as Binary,
    mk_bvshl: b"Z3_mk_bvshl" as Binary,
    mk_bvlshr: b"Z3_mk_bvlshr" as Binary,
    mk_bvashr: b"Z3_mk_bvashr" as Binary,
    mk_bvult: b"Z3_mk_bvult" as Binary,
    mk_bvslt: b"Z3_mk_bvslt" as Binary,
    mk_concat: b"Z3_mk_concat" as Binary,
    mk_extract: b"Z3_mk_extract" as unsafe extern "C" fn(Pointer, c_uint, c_uint, Pointer) -> Pointer,
    mk_sign_ext: b"Z3_mk_sign_ext" as unsafe extern "C" fn(Pointer, c_uint, Pointer) -> Pointer,
    mk_array_sort: b"Z3_mk_array_sort" as Binary,
    mk_const_array: b"Z3_mk_const_array" as Binary,
    mk_select: b"Z3_mk_select" as Binary,
    mk_store: b"Z3_mk_store" as Ternary,
    mk_solver_for_logic: b"Z3_mk_solver_for_logic" as Unary,
    solver_inc_ref: b"Z3_solver_inc_ref" as Count,
    solver_dec_ref: b"Z3_solver_dec_ref" as Count,
    solver_push: b"Z3_solver_push" as Count,
    solver_pop: b"Z3_solver_pop" as unsafe extern "C" fn(Pointer, Pointer, c_uint),
    solver_assert: b"Z3_solver_assert" as unsafe extern "C" fn(Pointer, Pointer, Pointer),
    solver_set_params: b"Z3_solver_set_params" as unsafe extern "C" fn(Pointer, Pointer, Pointer),
    solver_check_assumptions: b"Z3_solver_check_assumptions" as
        unsafe extern "C" fn(Pointer, Pointer, c_uint, *const Pointer) -> c_int,
    solver_get_model: b"Z3_solver_get_model" as Unary,
    solver_get_unsat_core: b"Z3_solver_get_unsat_core" as Unary,
    solver_get_reason_unknown: b"Z3_solver_get_reason_unknown" as
        unsafe extern "C" fn(Pointer, Pointer) -> *const c_char,
    model_inc_ref: b"Z3_model_inc_ref" as Count,
    model_dec_ref: b"Z3_model_dec_ref" as Count,
    model_eval: b"Z3_model_eval" as
        unsafe extern "C" fn(Pointer, Pointer, Pointer, bool, *mut Pointer) -> bool,
    get_bool_value: b"Z3_get_bool_value" as unsafe extern "C" fn(Pointer, Pointer) -> c_int,
    get_numeral_string: b"Z3_get_numeral_string" as
        unsafe extern "C" fn(Pointer, Pointer) -> *const c_char,
    ast_vector_inc_ref: b"Z3_ast_vector_inc_ref" as Count,
    ast_vector_dec_ref: b"Z3_ast_vector_dec_ref" as Count,
    ast_vector_size: b"Z3_ast_vector_size" as unsafe extern "C" fn(Pointer, Pointer) -> c_uint,
    ast_vector_get: b"Z3_ast_vector_get" as unsafe extern "C" fn(Pointer, Pointer, c_uint) -> Pointer,
    mk_params: b"Z3_mk_params" as unsafe extern "C" fn(Pointer) -> Pointer,
    params_inc_ref: b"Z3_params_inc_ref" as Count,
    params_dec_ref: b"Z3_params_dec_ref" as Count,
    params_set_uint: b"Z3_params_set_uint" as unsafe extern "C" fn(Pointer, Pointer, Pointer, c_uint),
}

/// Where the library is looked for: what the environment says, then what the
/// system's loader finds.
const NAMES: [&str; 2] = ["libz3.so.4", "libz3.so"];

/// The environment variable with the path of the library to use.
pub const PATH: &str = "THREADPROOF_Z3";

/// Loads the library.
pub fn load() -> Result<Functions, String> {
    let given = std::env::var(PATH).ok();
    let names: Vec<&str> = given.as_deref().map_or(NAMES.to_vec(), |path| vec![path]);
    let mut message = String::new();
    for name in names {
        // SAFETY: Z3's initialisers have no requirements.
        match unsafe { Library::new(name) } {
            Ok(library) => {
                let functions = Functions::find(&library).map_err(|error| format!("{name}: {error}"))?;
                // Z3 must not be unloaded: it may have threads.
                std::mem::forget(library);
                return Ok(functions);
            }
            Err(error) => message = error.to_string(),
        }
    }
    Err(format!("{message} (install libz3-4, or set {PATH} to the path of libz3.so)"))
}

/// A string for Z3.
pub fn text(text: &str) -> CString {
    CString::new(text).expect("no zero bytes")
}
