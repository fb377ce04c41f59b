//! The attribute macro of all OpenCL entry points.
//!
//! `#[cl_entry(clFinish)] fn finish(queue: cl_command_queue) -> Result<(), ClError>` keeps the
//! function and adds the C function `clFinish` with exactly the signature of `cl-sys`' table
//! (checked by the compiler). The C function reads one flag word (tracing), stops panics,
//! and turns the result into an error code:
//! - `Result<(), ClError>`: returns the code;
//! - `Result<T, ClError>`: a creator: gets `errcode_ret` as a last parameter, writes it if it is
//!   not NULL, returns `T` or NULL; with `#[cl_entry(clSVMAlloc, no_code)]` without that parameter;
//! - `(T, Result<(), ClError>)`: as a creator, but an error also returns the `T` (`clLinkProgram`);
//! - `T` without `Result`: returned as it is (`clGetExtensionFunctionAddress`), NULL or nothing on
//!   a panic.
//!
//! The C function gives its arguments with their names and types to `crate::entry`, for the
//! sentence that explains an error.
//!
//! Not here: what any entry point does (`muxcl-cl`). The expansion names `crate::entry`, so it is
//! for that crate only.

use proc_macro::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{
    FnArg, GenericArgument, Ident, ItemFn, Pat, PathArguments, ReturnType, Token, Type,
    parse_macro_input,
};

/// See the crate's documentation.
#[proc_macro_attribute]
pub fn cl_entry(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let attribute = parse_macro_input!(attribute as Attribute);
    let function = parse_macro_input!(item as ItemFn);
    expand(&attribute, &function).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// The arguments of the attribute.
struct Attribute {
    name: Ident,
    /// A call that creates an object and has no parameter `errcode_ret`.
    no_code: bool,
}

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        let no_code = !input.is_empty();
        if no_code {
            input.parse::<Token![,]>()?;
            let word: Ident = input.parse()?;
            if word != "no_code" {
                return Err(syn::Error::new_spanned(word, "only no_code is known here"));
            }
        }
        Ok(Self { name, no_code })
    }
}

/// How an entry point returns its result, by the return type of the function.
enum EntryKind {
    /// `Result<(), E>`
    Code,
    /// `Result<T, E>`
    Create(Box<Type>),
    /// `(T, Result<(), E>)`
    CreateAlways(Box<Type>),
    /// `T`: any other type
    Plain(Box<Type>),
}

fn expand(attribute: &Attribute, function: &ItemFn) -> syn::Result<proc_macro2::TokenStream> {
    let Attribute { name, no_code } = attribute;
    let inner = &function.sig.ident;
    if function.sig.asyncness.is_some() || !function.sig.generics.params.is_empty() {
        return Err(syn::Error::new_spanned(&function.sig, "an entry point is a plain function"));
    }
    let mut names = Vec::new();
    let mut types = Vec::new();
    for argument in &function.sig.inputs {
        let FnArg::Typed(argument) = argument else {
            return Err(syn::Error::new_spanned(argument, "an entry point has no self"));
        };
        let Pat::Ident(pattern) = argument.pat.as_ref() else {
            return Err(syn::Error::new_spanned(
                &argument.pat,
                "a plain parameter name is needed here",
            ));
        };
        names.push(pattern.ident.clone());
        types.push(argument.ty.as_ref().clone());
    }
    let pointer = quote::format_ident!("{name}_fn");
    let doc = format!(
        "The C entry point `{name}`.\n\n# Safety\nAs the OpenCL specification describes \
         `{name}`: pointers are NULL or valid as described."
    );
    let call = if function.sig.unsafety.is_some() {
        quote! {
            // SAFETY: the caller of the C function keeps the same contract.
            unsafe { #inner(#(#names),*) }
        }
    } else {
        quote! { #inner(#(#names),*) }
    };
    let entry =
        quote! { const ENTRY: crate::entry::Entry = crate::entry::Entry::new(stringify!(#name)); };
    // A closure, because the arguments are needed after an error only.
    let arguments = quote! {
        || [#(crate::explain::Argument::new(stringify!(#names), stringify!(#types), #names)),*]
    };
    let creator = |made: &Type, method: &proc_macro2::TokenStream| {
        quote! {
            #[doc = #doc]
            #[expect(non_snake_case, reason = "the name the OpenCL specification gives")]
            pub unsafe extern "C" fn #name(
                #(#names: #types,)* errcode_ret: *mut muxcl_cl_sys::cl_int
            ) -> #made {
                #entry
                let (value, code) = ENTRY.#method(|| #call, #arguments);
                if !errcode_ret.is_null() {
                    // SAFETY: not NULL, so by the specification it points at a cl_int to be
                    // written.
                    unsafe { errcode_ret.write(code) };
                }
                value
            }
        }
    };
    let stub = match entry_kind(&function.sig.output) {
        EntryKind::Code => quote! {
            #[doc = #doc]
            #[expect(non_snake_case, reason = "the name the OpenCL specification gives")]
            pub unsafe extern "C" fn #name(#(#names: #types),*) -> muxcl_cl_sys::cl_int {
                #entry
                ENTRY.code(|| #call, #arguments)
            }
        },
        EntryKind::Create(made) if *no_code => quote! {
            #[doc = #doc]
            #[expect(non_snake_case, reason = "the name the OpenCL specification gives")]
            pub unsafe extern "C" fn #name(#(#names: #types),*) -> #made {
                #entry
                ENTRY.create(|| #call, #arguments).0
            }
        },
        EntryKind::Create(made) => creator(&made, &quote! { create }),
        EntryKind::CreateAlways(made) => creator(&made, &quote! { create_always }),
        EntryKind::Plain(made) => quote! {
            #[doc = #doc]
            #[expect(non_snake_case, reason = "the name the OpenCL specification gives")]
            pub unsafe extern "C" fn #name(#(#names: #types),*) -> #made {
                #entry
                ENTRY.plain(|| #call)
            }
        },
    };
    let many = (names.len() > 7).then(|| {
        quote! { #[expect(clippy::too_many_arguments, reason = "OpenCL defines the parameters")] }
    });
    Ok(quote! {
        #many
        #function
        #stub
        const _: muxcl_cl_sys::#pointer = #name;
    })
}

fn entry_kind(output: &ReturnType) -> EntryKind {
    let ReturnType::Type(_, ty) = output else {
        return EntryKind::Plain(Box::new(syn::parse_quote!(())));
    };
    if let Type::Tuple(pair) = ty.as_ref()
        && let Some(made) = pair.elems.first()
    {
        return EntryKind::CreateAlways(Box::new(made.clone()));
    }
    let Type::Path(path) = ty.as_ref() else { return EntryKind::Plain(ty.clone()) };
    let Some(last) = path.path.segments.last().filter(|s| s.ident == "Result") else {
        return EntryKind::Plain(ty.clone());
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return EntryKind::Plain(ty.clone());
    };
    match arguments.args.first() {
        Some(GenericArgument::Type(Type::Tuple(tuple))) if tuple.elems.is_empty() => {
            EntryKind::Code
        }
        Some(GenericArgument::Type(ok)) => EntryKind::Create(Box::new(ok.clone())),
        _ => EntryKind::Plain(ty.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(attribute: &str, text: &str) -> String {
        let function: ItemFn = syn::parse_str(text).unwrap();
        let made = syn::parse_str(attribute).and_then(|attribute| expand(&attribute, &function));
        made.map_or_else(|e| e.to_string(), |t| t.to_string())
    }

    fn stub(text: &str) -> String {
        with("clX", text)
    }

    #[test]
    fn the_shape_follows_the_return_type() {
        assert!(
            stub("fn x(a: u32) -> Result<(), E> { Ok(()) }").contains("-> muxcl_cl_sys :: cl_int")
        );
        let creator = stub("fn x(a: u32) -> Result<cl_mem, E> { f(a) }");
        assert!(
            creator.contains("errcode_ret : * mut muxcl_cl_sys :: cl_int) -> cl_mem"),
            "{creator}"
        );
        assert!(!stub("fn x() -> *mut c_void { p }").contains("errcode_ret"));
        let always = stub("fn x(a: u32) -> (cl_mem, Result<(), E>) { f(a) }");
        assert!(
            always.contains("errcode_ret : * mut muxcl_cl_sys :: cl_int) -> cl_mem"),
            "{always}"
        );
        assert!(always.contains("create_always"), "{always}");
        let silent = with("clX, no_code", "fn x() -> Result<cl_mem, E> { f() }");
        assert!(!silent.contains("errcode_ret"), "{silent}");
        assert!(stub("fn x() {}").contains("-> ()"));
    }

    #[test]
    fn other_functions_are_refused() {
        assert_eq!(with("clX, quietly", "fn x() {}"), "only no_code is known here");
        assert_eq!(stub("fn x(&self) {}"), "an entry point has no self");
        assert_eq!(stub("fn x<T>() {}"), "an entry point is a plain function");
        assert_eq!(stub("fn x((a, b): (u8, u8)) {}"), "a plain parameter name is needed here");
    }
}
