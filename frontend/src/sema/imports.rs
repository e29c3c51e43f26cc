//! Imports: which names of other files a file sees. An imported name is visible to files that import this one in turn.

use super::collect::add_name;
use super::{Names, Sema, span_of};
use crate::hir::Ref;
use hornet_ir::span::{FileId, Span};
use rustc_hash::FxHashSet;
use solang_parser::pt;

struct Directive<'a> {
    file: FileId,
    target: FileId,
    import: &'a pt::Import,
}

impl<'a> Sema<'a> {
    pub(super) fn resolve_imports(&mut self) {
        let order = self.import_order();
        let mut reported = FxHashSet::default();
        // One round suffices without import cycles; with them, until nothing new arrives.
        loop {
            let mut changed = false;
            for directive in &order {
                changed |= self.import(directive, &mut reported);
            }
            if !changed {
                break;
            }
        }
        for directive in &order {
            self.check_imported_names(directive);
        }
    }

    /// All import directives, those of an imported file before those of the files that import it.
    fn import_order(&self) -> Vec<Directive<'a>> {
        let sources = self.sources;
        let directives: Vec<Vec<(&'a pt::Import, Option<FileId>)>> =
            sources.files.iter().map(|parsed| sources.imports_of(parsed.file).collect()).collect();
        let mut order = Vec::new();
        let mut seen = vec![false; directives.len()];
        for root in 0..directives.len() {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            // Depth first with an explicit stack: chains of imports can be long.
            let mut stack = vec![(root, 0)];
            while let Some((file, next)) = stack.pop() {
                match directives[file].get(next) {
                    Some((_, target)) => {
                        stack.push((file, next + 1));
                        if let Some(FileId(target)) = *target
                            && seen.get(target as usize) == Some(&false)
                        {
                            seen[target as usize] = true;
                            stack.push((target as usize, 0));
                        }
                    }
                    None => order.extend(directives[file].iter().filter_map(|&(import, target)| {
                        Some(Directive { file: FileId(file as u32), target: target?, import })
                    })),
                }
            }
        }
        order
    }

    /// Whether the importing file's names changed.
    fn import(&mut self, directive: &Directive<'a>, reported: &mut FxHashSet<(FileId, &'a str)>) -> bool {
        let (file, target) = (directive.file, directive.target);
        let mut incoming: Vec<(&'a str, Ref, Span)> = Vec::new();
        let theirs = &self.tables.files[target.0 as usize];
        match directive.import {
            pt::Import::Plain(_, loc) if file != target => {
                let ours = &self.tables.files[file.0 as usize];
                let new = theirs.iter().flat_map(|(name, refs)| refs.iter().map(|r| (*name, *r)));
                let new = new.filter(|(name, r)| !ours.get(name).is_some_and(|there| there.contains(r)));
                incoming.extend(new.map(|(name, r)| (name, r, span_of(loc))));
            }
            pt::Import::Plain(..) => {}
            pt::Import::GlobalSymbol(_, alias, _) => {
                incoming.push((&alias.name, Ref::Module(target), span_of(&alias.loc)));
            }
            pt::Import::Rename(_, names, _) => {
                for (name, alias) in names {
                    let local = alias.as_ref().unwrap_or(name);
                    let refs = theirs.get(name.name.as_str()).into_iter().flatten();
                    incoming.extend(refs.map(|r| (local.name.as_str(), *r, span_of(&local.loc))));
                }
            }
        }
        // Names come out of a hash map; errors must not depend on its order.
        incoming.sort_by_key(|(name, _, span)| (*span, *name));
        self.add_imported(file, incoming, reported)
    }

    fn add_imported(
        &mut self,
        file: FileId,
        incoming: Vec<(&'a str, Ref, Span)>,
        reported: &mut FxHashSet<(FileId, &'a str)>,
    ) -> bool {
        let mut changed = false;
        for (name, r, span) in incoming {
            let ours: &mut Names<'a> = &mut self.tables.files[file.0 as usize];
            let before = ours.get(name).map_or(0, Vec::len);
            let clash = add_name(ours, name, r);
            changed |= ours.get(name).map_or(0, Vec::len) > before;
            if let Some(old) = clash
                && reported.insert((file, name))
            {
                let old = self.ref_span(old);
                self.clash(span, format!("identifier `{name}` already declared"), old);
            }
        }
        changed
    }

    fn check_imported_names(&mut self, directive: &Directive<'a>) {
        let pt::Import::Rename(_, names, _) = directive.import else { return };
        for (name, _) in names {
            if !self.tables.files[directive.target.0 as usize].contains_key(name.name.as_str()) {
                let path = &self.sources.map.file(directive.target).name;
                let message = format!("declaration `{}` not found in `{path}`", name.name);
                self.error(span_of(&name.loc), message);
            }
        }
    }
}
