// A chat client's side of a view, by the SDK of the extension: bundled for the browser by view.test.mjs.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

// `readResource` and `openLink` are functions of the test.
globalThis.showView = async ({ html, input, result, reads }) => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    frame.title = 'view';
    frame.style = 'width: 390px; height: 600px';
    document.body.replaceChildren(frame);
    const capabilities = { openLinks: {}, ...(reads ? { serverResources: {} } : {}) };
    const bridge = new AppBridge(null, { name: 'test', version: '1' }, capabilities);
    if (reads) bridge.onreadresource = (params) => globalThis.readResource(params.uri);
    bridge.onopenlink = async ({ url }) => {
        await globalThis.openLink(url);
        return {};
    };
    bridge.onsizechange = ({ height }) => (globalThis.height = height);
    bridge.oninitialized = async () => {
        await bridge.sendToolInput({ arguments: input });
        await bridge.sendToolResult(result);
    };
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.srcdoc = html;
};
