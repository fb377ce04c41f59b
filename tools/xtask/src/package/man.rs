//! Manual pages of the programs, from what they say with `--help`.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::run;

/// The page of `program` in section 1.
pub(super) fn page(program: &Path, version: &str) -> Result<String> {
    let name = program.file_name().context("a program has a name")?.to_string_lossy().into_owned();
    let help = run::output(Command::new(program).arg("--help"))?;
    Ok(format(&name, version, &help))
}

fn format(name: &str, version: &str, help: &str) -> String {
    let mut lines = help.lines();
    let summary = lines.next().unwrap_or_default().trim_end_matches('.');
    let body: String = lines.map(|line| format!("{}\n", escape(line))).collect();
    let (title, name) = (name.to_uppercase(), escape(name));
    format!(
        ".TH {title} 1 \"\" \"muxcl {version}\"\n.SH NAME\n{name} \\- {}\n\
         .SH DESCRIPTION\n.nf\n{}\n.fi\n.SH SEE ALSO\nThe documents in /usr/share/doc/muxcl\n",
        escape(summary),
        body.trim_matches('\n')
    )
}

/// `text` without what roff would interpret.
fn escape(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_becomes_a_page() {
        let page = format("a-b", "1.0", "Does it.\n\nUsage: a-b \\n\n.not a request\n");
        assert!(page.starts_with(".TH A-B 1 \"\" \"muxcl 1.0\"\n.SH NAME\na\\-b \\- Does it\n"));
        assert!(page.contains("Usage: a\\-b \\\\n\n\\&.not a request\n.fi\n"), "{page}");
    }
}
