//! Reads root sources, follows their imports, and settles the language version of each file.

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::path::{Path, PathBuf};

use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{FileId, SourceMap, Span};
use rustc_hash::FxHashMap;
use solang_parser::pt::{ContractDefinition, Expression, Import, SourceUnitPart, StringLiteral};

use super::project::LoadOptions;
use super::resolve::{Found, Importer, Resolver, absolute_name};
use super::version_req::newest_matching;
use crate::parse::limits::MAX_SOURCE_BYTES;
use crate::parse::{ParsedFile, Pragma, parse_file_as, pragmas_of, span_of};
use crate::version::Version;

/// Everything that was read. `files` is indexed by [`FileId`], as `map` is.
#[derive(Debug, Default)]
pub struct LoadedSources {
    pub map: SourceMap,
    /// A file that could not be parsed is empty here, and its errors are in `diagnostics`.
    pub files: Vec<ParsedFile>,
    /// The files asked for, as opposed to imported ones.
    pub roots: Vec<FileId>,
    pub diagnostics: Vec<Diagnostic>,
    /// As asked for in [`LoadOptions::prefer_wrapping`].
    pub prefer_wrapping: bool,
}

impl LoadedSources {
    pub fn file(&self, id: FileId) -> &ParsedFile {
        &self.files[id.0 as usize]
    }

    /// The language version a file is read in.
    pub fn version_of(&self, id: FileId) -> Version {
        self.file(id).version
    }

    /// The import directives of a file with what they resolve to.
    pub fn imports_of(&self, id: FileId) -> impl Iterator<Item = (&Import, Option<FileId>)> {
        let directives = self.file(id).unit.0.iter().filter_map(import_directive);
        directives.zip(self.file(id).imports.iter().copied())
    }

    /// Remappings by which solc, given the files under their names here, finds for each import what we found.
    pub fn solc_remappings(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (id, file) in self.map.files() {
            for (import, target) in self.imports_of(id) {
                let (Some(literal), Some(target)) = (import.literal(), target) else { continue };
                let (meant, found) =
                    (absolute_name(&literal.string, &file.name), &self.map.file(target).name);
                if meant != *found {
                    out.push(format!("{}:{meant}={found}", file.name));
                }
            }
        }
        out
    }

    /// The next older language (0.7 after 0.8, and so on) that all pragmas of a unit admit. `None` if there is none, or
    /// if it has no pragma: then nobody said that an older language was meant.
    pub fn older_language(&self, unit: &[FileId]) -> Option<Version> {
        let current = unit.iter().map(|id| self.version_of(*id)).max()?;
        let reqs = unit.iter().flat_map(|id| self.file(*id).version_reqs());
        reqs.clone().next()?;
        let admitted = |v: &Version| v.minor < current.minor && reqs.clone().all(|req| req.matches(*v));
        Version::known().find(admitted)
    }

    /// Reads the files of a unit in another language. If one of them cannot be, nothing changes.
    pub fn read_as(&mut self, unit: &[FileId], version: Version) -> bool {
        let reread = |id: &FileId| {
            let parsed = parse_file_as(&self.map, *id, Some(version)).ok()?;
            Some(ParsedFile { imports: self.file(*id).imports.clone(), ..parsed })
        };
        let Some(files) = unit.iter().map(reread).collect::<Option<Vec<_>>>() else { return false };
        for file in files {
            let at = file.file.0 as usize;
            self.files[at] = file;
        }
        true
    }

    /// The sets of files that are compiled together: those joined by imports.
    pub fn units(&self) -> Vec<Vec<FileId>> {
        let ids = |group: Vec<usize>| group.into_iter().map(|i| self.files[i].file).collect();
        components(&self.files).into_iter().map(ids).collect()
    }

    /// The base slot given by `layout at EXPR` in the contract's header.
    pub fn layout_of(&self, file: FileId, contract: &ContractDefinition) -> Option<&Expression> {
        self.file(file).layout_of(contract)
    }
}

fn import_directive(part: &SourceUnitPart) -> Option<&Import> {
    match part {
        SourceUnitPart::ImportDirective(import) => Some(import),
        _ => None,
    }
}

/// Where a file came from; parallel to the source map.
struct Origin {
    name: String,
    path: Option<PathBuf>,
}

/// Loads sources from disk and memory.
pub struct Loader {
    resolver: Resolver,
    memory: FxHashMap<String, String>,
    /// Instead of what is on disk.
    edited: FxHashMap<PathBuf, String>,
    by_name: FxHashMap<String, FileId>,
    by_path: FxHashMap<PathBuf, FileId>,
    origins: Vec<Origin>,
    queue: VecDeque<FileId>,
    /// Errors of files that do not parse, as far as their version is settled.
    failures: BTreeMap<FileId, Vec<Diagnostic>>,
    loaded: LoadedSources,
}

impl Loader {
    pub fn new(options: LoadOptions) -> Self {
        // A compiler that was named is not second-guessed.
        let prefer_wrapping = options.prefer_wrapping && options.compiler.is_none();
        Loader {
            resolver: Resolver::new(options),
            memory: FxHashMap::default(),
            edited: FxHashMap::default(),
            by_name: FxHashMap::default(),
            by_path: FxHashMap::default(),
            origins: Vec::new(),
            queue: VecDeque::new(),
            failures: BTreeMap::new(),
            loaded: LoadedSources { prefer_wrapping, ..LoadedSources::default() },
        }
    }

    /// A source given as text; imports find it by its name. It is loaded when imported or named as a root.
    pub fn add_source(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.memory.insert(name.into(), text.into());
    }

    /// The text that an editor shows of a file, whatever is on disk. The path is one with links followed.
    pub fn edit(&mut self, path: PathBuf, text: impl Into<String>) {
        self.edited.insert(path, text.into());
    }

    /// Loads the named in-memory sources and all they import.
    pub fn load_names<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> LoadedSources {
        for name in names {
            match self.memory_file(name) {
                Some(id) => self.loaded.roots.push(id),
                None => self
                    .loaded
                    .diagnostics
                    .push(Diagnostic::unlocated(format!("no source is called `{name}`"))),
            }
        }
        self.run()
    }

    /// Loads files from disk and all they import.
    pub fn load_paths<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> LoadedSources {
        for path in paths {
            let path = path.as_ref();
            let name = self.name_of_root(path);
            match self.disk_file(name, path) {
                Ok(id) if self.loaded.roots.contains(&id) => (),
                Ok(id) => self.loaded.roots.push(id),
                Err(problem) => {
                    let message = format!("cannot read `{}`: {problem}", path.display());
                    self.loaded.diagnostics.push(Diagnostic::unlocated(message));
                }
            }
        }
        self.run()
    }

    /// A root under the base folder is called by its path from there, so that imports of it by name meet it.
    fn name_of_root(&self, path: &Path) -> String {
        let base = std::fs::canonicalize(&self.resolver.options.base);
        let absolute = std::fs::canonicalize(path);
        let below = match (&base, &absolute) {
            (Ok(base), Ok(absolute)) => absolute.strip_prefix(base).ok(),
            _ => None,
        };
        below.unwrap_or(path).to_string_lossy().replace('\\', "/")
    }

    fn memory_file(&mut self, name: &str) -> Option<FileId> {
        if let Some(&id) = self.by_name.get(name) {
            return Some(id);
        }
        let text = self.memory.get(name)?.clone();
        let id = self.add(name.to_string(), text, Origin { name: name.to_string(), path: None });
        self.by_name.insert(name.to_string(), id);
        Some(id)
    }

    fn disk_file(&mut self, name: String, path: &Path) -> Result<FileId, String> {
        let canonical = match std::fs::canonicalize(path) {
            Ok(canonical) => canonical,
            // Not written yet.
            Err(_) if self.edited.contains_key(path) => path.to_owned(),
            Err(e) => return Err(describe(&e)),
        };
        if let Some(&id) = self.by_path.get(&canonical) {
            return Ok(id);
        }
        let bytes = match self.edited.get(&canonical) {
            Some(text) if text.len() as u64 > MAX_SOURCE_BYTES => return Err(too_large()),
            Some(text) => text.clone().into_bytes(),
            None => read(&canonical)?,
        };
        let (text, bad) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                // Keep what can be shown: the error then has a place.
                let good = error.utf8_error().valid_up_to();
                let mut bytes = error.into_bytes();
                bytes.truncate(good);
                (String::from_utf8(bytes).unwrap_or_default(), Some(good))
            }
        };
        let origin = Origin { name, path: Some(canonical.clone()) };
        let id = self.add(path.display().to_string(), text, origin);
        self.by_path.insert(canonical, id);
        if let Some(at) = bad {
            self.queue.pop_back();
            let span = Span::new(id, at, at);
            self.loaded
                .diagnostics
                .push(Diagnostic::error(span, format!("byte {at} of the file is not UTF-8")));
        }
        Ok(id)
    }

    fn add(&mut self, shown: String, text: String, origin: Origin) -> FileId {
        let id = self.loaded.map.add(shown, text);
        self.origins.push(origin);
        self.loaded.files.push(ParsedFile::empty(id));
        self.queue.push_back(id);
        id
    }

    fn run(mut self) -> LoadedSources {
        loop {
            while let Some(id) = self.queue.pop_front() {
                self.parse(id, None);
            }
            // A file that failed in the newest language may parse in that of the files around it, and import more.
            let failed = self.failures.len();
            let conflicts = self.settle_versions();
            if self.queue.is_empty() && self.failures.len() == failed {
                self.loaded.diagnostics.extend(conflicts);
                break;
            }
        }
        let failures = std::mem::take(&mut self.failures);
        self.loaded.diagnostics.extend(failures.into_values().flatten());
        self.loaded
    }

    fn parse(&mut self, id: FileId, version: Option<Version>) {
        let parsed = parse_file_as(&self.loaded.map, id, version);
        let file = &mut self.loaded.files[id.0 as usize];
        match parsed {
            Ok(mut parsed) => {
                let known = std::mem::take(&mut file.imports);
                let first = version.is_none() || self.failures.remove(&id).is_some();
                if !first {
                    // The same directives in the same order, followed before.
                    parsed.imports = known;
                }
                *file = parsed;
                if first {
                    self.follow_imports(id);
                }
            }
            Err(errors) => {
                // Its pragmas still count for the files it belongs to.
                let pragmas = pragmas_of(&self.loaded.map, id);
                let version =
                    version.or_else(|| newest_matching(pragmas.iter().filter_map(Pragma::version_req)));
                *file = ParsedFile {
                    version: version.unwrap_or(Version::NEWEST),
                    pragmas,
                    ..ParsedFile::empty(id)
                };
                self.failures.insert(id, errors);
            }
        }
    }

    fn follow_imports(&mut self, id: FileId) {
        // Taken out, because finding a file changes the tables it would otherwise be borrowed from.
        let mut file = std::mem::replace(&mut self.loaded.files[id.0 as usize], ParsedFile::empty(id));
        let directives = file.unit.0.iter().filter_map(import_directive);
        let targets: Vec<_> =
            directives.map(|import| import.literal().and_then(|path| self.import(id, path))).collect();
        file.imports = targets;
        self.loaded.files[id.0 as usize] = file;
    }

    fn import(&mut self, from: FileId, literal: &StringLiteral) -> Option<FileId> {
        let path = literal.string.as_str();
        let report = |loader: &mut Self, message: String, help: Option<String>| {
            let diagnostic = Diagnostic::error(span_of(&literal.loc), message);
            loader.loaded.diagnostics.push(match help {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            });
        };
        if path.is_empty() {
            report(self, "an import path cannot be empty".into(), None);
            return None;
        }
        let origin = &self.origins[from.0 as usize];
        let importer = Importer { name: &origin.name, path: origin.path.as_deref() };
        match self.resolver.find(path, importer, |name| self.memory.contains_key(name)) {
            Found::Memory(name) => self.memory_file(&name),
            Found::Disk { name, path: found } => match self.disk_file(name, &found) {
                Ok(id) => Some(id),
                Err(problem) => {
                    report(self, format!("cannot read `{}`: {problem}", found.display()), None);
                    None
                }
            },
            Found::Nowhere(tried) => {
                report(self, format!("cannot find `{path}`"), Some(looked_in(&tried)));
                None
            }
        }
    }

    /// Files that import each other are compiled together, so one compiler must satisfy all their pragmas.
    fn settle_versions(&mut self) -> Vec<Diagnostic> {
        let mut conflicts = Vec::new();
        for component in components(&self.loaded.files) {
            match self.common_version(&component) {
                Some(version) => component.iter().for_each(|&i| self.set_version(i, version)),
                None => conflicts.extend(self.version_conflict(&component)),
            }
        }
        conflicts
    }

    fn common_version(&self, component: &[usize]) -> Option<Version> {
        let reqs = component.iter().flat_map(|&i| self.loaded.files[i].version_reqs());
        match self.resolver.options.compiler {
            Some(version) => reqs.clone().all(|req| req.matches(version)).then_some(version),
            None => newest_matching(reqs),
        }
    }

    fn set_version(&mut self, index: usize, version: Version) {
        let file = &mut self.loaded.files[index];
        if file.version.dialect() == version.dialect() {
            file.version = version;
        } else {
            let id = file.file;
            self.parse(id, Some(version));
        }
    }

    /// Points at the pragma that leaves no compiler, and at those before it that it contradicts.
    fn version_conflict(&self, component: &[usize]) -> Option<Diagnostic> {
        let pragmas: Vec<_> = component.iter().flat_map(|&i| &self.loaded.files[i].pragmas).collect();
        if let Some(version) = self.resolver.options.compiler {
            let refuses = |req: &super::VersionReq| !req.matches(version);
            let pragma = pragmas.iter().find(|p| p.version_req().is_some_and(refuses))?;
            return Some(Diagnostic::error(
                pragma.span,
                format!("this pragma does not admit compiler {version}"),
            ));
        }
        let versions: Vec<_> =
            pragmas.iter().filter_map(|p| p.version_req().map(|req| (req, p.span))).collect();
        let last =
            (1..versions.len()).find(|&n| newest_matching(versions[..=n].iter().map(|v| v.0)).is_none())?;
        let (req, span) = versions[last];
        let mut diagnostic = Diagnostic::error(
            span,
            "no compiler satisfies this pragma and those of the files compiled with it",
        )
        .help("files joined by imports are compiled together; check unrelated files one by one");
        let against =
            versions[..last].iter().filter(|(other, _)| newest_matching([req, *other].into_iter()).is_none());
        for (_, other) in against.take(3) {
            diagnostic = diagnostic.label(*other, "contradicts this one");
        }
        Some(diagnostic)
    }
}

/// Sets of files connected by imports, each in file order.
fn components(files: &[ParsedFile]) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..files.len()).collect();
    fn find(leader: &mut [usize], mut i: usize) -> usize {
        while leader[i] != i {
            leader[i] = leader[leader[i]];
            i = leader[i];
        }
        i
    }
    for (from, file) in files.iter().enumerate() {
        for to in file.imports.iter().flatten() {
            let (a, b) = (find(&mut leader, from), find(&mut leader, to.0 as usize));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); files.len()];
    for i in 0..files.len() {
        let at = find(&mut leader, i);
        groups[at].push(i);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn looked_in(tried: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut text = format!("looked for {}", tried[..tried.len().min(SHOWN)].join(", "));
    if tried.len() > SHOWN {
        text.push_str(&format!(" and {} more places", tried.len() - SHOWN));
    }
    text
}

fn describe(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        _ => error.to_string(),
    }
}

fn too_large() -> String {
    format!("larger than {} MB", MAX_SOURCE_BYTES >> 20)
}

/// Reads an ordinary file of bearable size; devices and pipes could go on for ever.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|e| describe(&e))?;
    let meta = file.metadata().map_err(|e| describe(&e))?;
    if !meta.is_file() {
        return Err("not a file".to_string());
    }
    if meta.len() > MAX_SOURCE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(meta.len() as usize);
    file.take(MAX_SOURCE_BYTES).read_to_end(&mut bytes).map_err(|e| describe(&e))?;
    Ok(bytes)
}
