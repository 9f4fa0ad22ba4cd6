// A proxy that adds the access token, because the suite cannot send a header of its own.
// The suite's Host and Origin are passed on unless they name this proxy: one scenario sends foreign ones.

import http from "node:http";

/** Starts a proxy for `service` (a base URL). The result has its `url` and `close`. */
export async function proxyFor(service, token) {
    const target = new URL(service);
    const server = http.createServer((request, response) => {
        const own = `${server.address().address}:${server.address().port}`;
        const local = `localhost:${server.address().port}`;
        const headers = { ...request.headers };
        if ([own, local].includes(headers.host)) headers.host = target.host;
        if ([`http://${own}`, `http://${local}`].includes(headers.origin)) headers.origin = target.origin;
        if (token) headers.authorization ??= `Bearer ${token}`;
        const options = { host: target.hostname, port: target.port, method: request.method, path: request.url, headers };
        const forwarded = http.request(options, (answer) => {
            response.writeHead(answer.statusCode, answer.rawHeaders);
            answer.pipe(response);
        });
        forwarded.on("error", (problem) => response.destroy(problem));
        response.on("close", () => forwarded.destroy());
        request.pipe(forwarded);
    });
    await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
    return { url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() };
}
