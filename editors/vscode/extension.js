// Starts `hornet lsp` and shows what only an editor can show. Everything else is the server's.
"use strict";

const { EventEmitter, Uri, ViewColumn, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const SCHEME = "hornet-counterexample";

let client;

/** Counterexamples as documents that nobody can change. */
class Stories {
  constructor() {
    this.texts = new Map();
    this.changes = new EventEmitter();
    this.onDidChange = this.changes.event;
  }

  provideTextDocumentContent(uri) {
    return this.texts.get(uri.toString());
  }

  async show({ title, text }) {
    const uri = Uri.from({ scheme: SCHEME, path: `/${title}` });
    this.texts.set(uri.toString(), text);
    this.changes.fire(uri);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document, { preview: true, viewColumn: ViewColumn.Beside });
  }
}

/** From the command palette there are no arguments: the file in front is meant. */
function meant(args) {
  if (args.length > 0) return args;
  const document = window.activeTextEditor?.document;
  return document ? [{ uri: client.code2ProtocolConverter.asUri(document.uri) }] : [];
}

/** The server reads from disk. */
async function save(target) {
  const shown = (document) => client.code2ProtocolConverter.asUri(document.uri) === target?.uri;
  const document = workspace.textDocuments.find(shown);
  if (document?.isDirty) await document.save();
}

async function execute(stories, command, args, next) {
  const full = meant(args);
  if (command === "hornet.prove") await save(full[0]);
  try {
    const result = await next(command, full);
    if (command === "hornet.showCounterexample") await stories.show(result);
    return result;
  } catch (error) {
    window.showWarningMessage(`Hornet: ${error.message}`);
    return undefined;
  }
}

async function activate(context) {
  const stories = new Stories();
  context.subscriptions.push(workspace.registerTextDocumentContentProvider(SCHEME, stories));
  const program = workspace.getConfiguration("hornet").get("path", "hornet");
  client = new LanguageClient(
    "hornet",
    "Hornet",
    { command: program, args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "solidity" }],
      initializationOptions: { showsCounterexamples: true },
      middleware: { executeCommand: (command, args, next) => execute(stories, command, args, next) },
    },
  );
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`Hornet: \`${program} lsp\` does not start (setting hornet.path): ${error.message}`);
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
