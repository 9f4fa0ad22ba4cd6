// The authorization server of the identity tests: oidc-provider, an independent and certified implementation, as an
// operator would configure it for Fourfold. Beside it stand a few control endpoints, which only the tests know.
//
//   node provider.mjs PORT KEYS    PORT 0 takes a free one; KEYS is a file in which the keys outlive the process
//
// The first line on standard output is the issuer.

import { generateKeyPairSync, randomBytes, webcrypto } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

import Provider from 'oidc-provider';

// Debian 12 has Node.js 18, which lacks these two; all else that oidc-provider needs is there.
URL.parse ??= (text) => (URL.canParse(text) ? new URL(text) : null);
globalThis.crypto ??= webcrypto;

const [port, keysFile] = process.argv.slice(2);
const SCOPES = ['net.orders.read', 'net.orders.write'];
const CLIENTS = ['ada', 'bob'];

// ── Keys ────────────────────────────────────────────────────────────────────────────────────────────────────────────

function freshKeys() {
  const pairs = [
    generateKeyPairSync('ed25519'),
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ];
  return pairs.map(({ privateKey }) => ({
    ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: randomBytes(8).toString('hex'),
  }));
}

function keep(keys) {
  writeFileSync(keysFile, JSON.stringify(keys), { mode: 0o600 });
  return keys;
}

let keys = existsSync(keysFile) ? JSON.parse(readFileSync(keysFile)) : keep(freshKeys());

// ── The authorization server ────────────────────────────────────────────────────────────────────────────────────────

function authorizationServer(issuer) {
  return new Provider(issuer, {
    // The first key that fits signs; all are published.
    jwks: { keys },
    clients: CLIENTS.map((client_id) => ({
      client_id,
      client_secret: `the secret of ${client_id}`,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    scopes: SCOPES,
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // The resource is the base URL of the service; it becomes `aud`, exactly as it is written.
        getResourceServerInfo: (ctx, resource) => ({
          audience: resource,
          scope: SCOPES.join(' '),
          accessTokenTTL: Number(ctx.get('test-ttl') || 600),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: ctx.get('test-alg') || 'EdDSA' } },
        }),
      },
    },
    // A token without a browser is of the client's own grant; with one, `token.grantId` names the grant.
    extraTokenClaims: (ctx, token) => ({
      grant_id: token.grantId ?? `client-${token.clientId}`,
      grant_kind: ctx.get('test-grant-kind') || 'owner',
    }),
  });
}

// ── Control ─────────────────────────────────────────────────────────────────────────────────────────────────────────

let serve;
let fetches = 0;

function control(path) {
  switch (path) {
    case '/control/rotate':
      keys = keep([...freshKeys(), ...keys]);
      break;
    case '/control/replace':
      keys = keep(freshKeys());
      break;
    case '/control/fetches':
      return { fetches };
    default:
      return null;
  }
  serve = authorizationServer(issuer).callback();
  return { keys: keys.length };
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, issuer);
  const controlled = pathname.startsWith('/control/') ? control(pathname) : null;
  if (controlled) {
    const body = JSON.stringify(controlled);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  if (pathname === '/jwks') fetches += 1;
  serve(request, response);
});

let issuer;
server.listen(Number(port), '127.0.0.1', () => {
  issuer = `http://127.0.0.1:${server.address().port}`;
  serve = authorizationServer(issuer).callback();
  console.log(issuer);
});
