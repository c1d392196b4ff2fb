/** A head that servers read differently, and the allowed responses. */
export interface OddHead {
  readonly name: string
  /** The bytes on the wire. `{key}` becomes a valid key. */
  readonly bytes: string
  /** The valid statuses, one array per response in order. Empty: the connection may be closed without a response. */
  readonly statuses: readonly (readonly number[])[]
  /** The pattern that no response may contain. */
  readonly without?: RegExp
}

const get = (target: string, lines: readonly string[] = [], version = 'HTTP/1.1'): string =>
  `GET ${target} ${version}\r\n${['host: x', 'connection: close', ...lines].join('\r\n')}\r\n\r\n`
const keyed = 'authorization: Bearer {key}'
const refused = [[400]] as const
const missing = [[404]] as const

function odd(name: string, bytes: string, statuses: OddHead['statuses'], without?: RegExp): OddHead {
  return { name, bytes, statuses, ...(without === undefined ? {} : { without }) }
}

export const oddHeads: readonly OddHead[] = [
  odd(
    '5,000 headers',
    get(
      '/health',
      Array.from({ length: 5_000 }, (_, index) => `x-${index}: 1`),
    ),
    [[200, 431]],
  ),
  odd('a header of 100 KB', get('/health', [`x-a: ${'a'.repeat(100_000)}`]), [[431]]),
  odd(
    'headers of 100 KB altogether',
    get(
      '/health',
      Array.from({ length: 100 }, (_, index) => `x-${index}: ${'a'.repeat(1_000)}`),
    ),
    [[431]],
  ),
  odd('a path of 100 KB', get(`/${'a'.repeat(100_000)}`), [[400, 414, 431]]),
  odd('a query of 10 KB', get(`/v1/models?a=${'a'.repeat(10_000)}`), [[200, 400, 414, 431]]),
  odd('no host', 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', refused),
  odd('two hosts', get('/health', ['host: y']), [[200, 400]]),
  odd(
    'a host with an address of its own',
    'GET /health HTTP/1.1\r\nhost: http://evil.example/@x\r\nconnection: close\r\n\r\n',
    [[200, 400]],
    /evil/,
  ),
  odd('CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: 127.0.0.1:22\r\n\r\n', [], /SSH/),
  odd(
    'TRACE',
    `TRACE /v1/key HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${keyed}\r\n\r\n`,
    [[400, 404, 405, 501]],
    /authorization/i,
  ),
  odd('a method that nobody knows', 'HACK /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', [
    [400, 404, 405, 501],
  ]),
  odd('a method in lower case', 'get /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', refused),
  odd('OPTIONS for everything', 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', [[204, 400, 404, 405]]),
  odd(
    'an upgrade to HTTP/2',
    get('/v1/key', ['connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AAMAAABkAAQAAP__']),
    [[401]],
  ),
  odd(
    'an upgrade to a web socket',
    get('/v1/key', [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: eA==',
    ]),
    [[401]],
  ),
  odd('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [[400, 505]]),
  odd('HTTP/0.9', 'GET /health\r\n\r\n', [[200, 400]]),
  odd('HTTP/1.0', get('/health', [], 'HTTP/1.0'), [[200]]),
  odd('HTTP/3.0', get('/health', [], 'HTTP/3.0'), [[400, 505]]),
  odd('a version with a letter', get('/health', [], 'HTTP/1.x'), refused),
  odd('a whole address as the target', get('http://evil.example/v1/key', [keyed]), [[200, 400, 404]], /evil/),
  odd('an address of a file as the target', get('file:///etc/passwd'), [[400, 404]], /root:/),
  odd('a target without a slash', get('health'), [[400, 404]]),
  odd('dots in the path', get('/v1/../../../../etc/passwd'), [[400, 404]], /root:/),
  odd('encoded dots in the path', get('/v1/models/..%2f..%2f..%2fetc%2fpasswd'), [[400, 404]], /root:/),
  odd('a zero byte in the path', get('/v1/models/\u0000'), refused),
  odd('an encoded zero byte in the path', get('/v1/models/%00'), [[400, 404]]),
  odd('an encoding that is none', get('/v1/models/%zz'), [[400, 404]]),
  odd('a line break in the path', get('/v1/models/a%0d%0aset-cookie:%20x=1'), [[400, 404]], /^set-cookie: x=1/im),
  odd(
    'a line break in a header that is repeated',
    get('/v1/models', ['x-request-id: a%0d%0aset-cookie: x=1']),
    [[200]],
    /^set-cookie/im,
  ),
  odd('a blank in the name of a header', get('/health', ['x a: 1']), refused),
  odd('a header without a name', get('/health', [': 1']), refused),
  odd('a header without a colon', get('/health', ['nothing']), refused),
  odd('a folded header', get('/health', ['x-a: b', ' c']), [[200, 400]]),
  odd('lines that end with a line feed', 'GET /health HTTP/1.1\nhost: x\nconnection: close\n\n', [[200, 400]]),
  odd('lines that end with a carriage return', 'GET /health HTTP/1.1\rhost: x\rconnection: close\r\r', refused),
  odd('an expectation that nobody meets', get('/health', ['expect: 200-ok']), [[200, 400, 417]]),
  odd(
    'another method in a header',
    `POST /v1/keys HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${keyed}\r\nx-http-method-override: DELETE\r\ncontent-length: 0\r\n\r\n`,
    [[400, 403]],
  ),
  odd(
    'another path in headers',
    get('/health', ['x-original-url: /v1/key', 'x-rewrite-url: /v1/key', keyed]),
    [[200]],
    /"label"/,
  ),
  odd('two credentials, the wrong one first', get('/v1/key', ['authorization: Bearer sk-weir-wrong', keyed]), [
    [401, 400],
  ]),
  odd('two credentials, the wrong one last', get('/v1/key', [keyed, 'authorization: Bearer sk-weir-wrong']), [
    [200, 400, 401],
  ]),
  odd('a credential with a blank too many', get('/v1/key', ['authorization: Bearer  {key} {key}']), [[401]]),
  odd(
    'a range of a thousand parts',
    get('/v1/images/proxy/x', [`range: bytes=${Array.from({ length: 1_000 }, (_, at) => `${at}-${at}`).join(',')}`]),
    missing,
  ),
  odd('a body with GET', `GET /health HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello`, [
    [200, 400],
  ]),
  odd(
    'fifty requests at once',
    `${'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(49)}${get('/health')}`,
    Array.from({ length: 50 }, () => [200]),
  ),
  odd('nothing but line breaks', '\r\n'.repeat(1_000), []),
  odd('a handshake of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', refused),
  odd('[B11] figures with a slash behind', get('/metrics/'), missing, /^weir_/m),
  odd('[B11] figures', get('/metrics'), missing, /^weir_/m),
  odd('[B11] figures with an encoded letter', get('/%6detrics'), missing, /^weir_/m),
  odd('[B11] figures behind two slashes', get('//metrics'), missing, /^weir_/m),
  odd('[B11] figures with a query', get('/metrics?x'), missing, /^weir_/m),
  odd('[B11] figures by way of another path', get('/v1/../metrics'), missing, /^weir_/m),
]
