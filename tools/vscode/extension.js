// Starts `hardbop lsp` for C files. All else is done by the server: what it is able to do it says itself.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
    const settings = vscode.workspace.getConfiguration("hardbop");
    const command = settings.get("path");
    const args = ["lsp", "--", ...settings.get("options")];
    client = new LanguageClient(
        "hardbop",
        "hardbop",
        { command, args },
        { documentSelector: [{ scheme: "file", language: "c" }] },
    );
    try {
        await client.start();
    } catch (problem) {
        client = undefined;
        vscode.window.showErrorMessage(`hardbop cannot be started (${command}): ${problem.message}. See the setting hardbop.path.`);
    }
}

async function stop() {
    const running = client;
    client = undefined;
    await running?.stop();
}

exports.activate = async (context) => {
    const restart = async () => {
        await stop();
        await start();
    };
    context.subscriptions.push(
        vscode.commands.registerCommand("hardbop.restart", restart),
        vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("hardbop") && restart()),
    );
    await start();
};

exports.deactivate = stop;
