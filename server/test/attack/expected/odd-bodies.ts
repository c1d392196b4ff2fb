import { gzipSync } from 'node:zlib'

/** A body that is not a document, or in a format that no endpoint accepts, with its valid statuses everywhere. */
export interface OddBody {
  readonly name: string
  readonly bytes: Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly statuses: readonly number[]
}

const good = '{"model":"test/echo","messages":[{"role":"user","content":"Hello"}],"input":"Hello","max_tokens":16}'

function text(name: string, body: string, statuses: readonly number[]): OddBody {
  return { name, bytes: Buffer.from(body), statuses }
}

function typed(type: string): OddBody {
  return {
    name: `the type ${type || 'that is empty'}`,
    bytes: Buffer.from(good),
    headers: { 'content-type': type },
    statuses: [415],
  }
}

function encoded(encoding: string): OddBody {
  const bytes = gzipSync(Buffer.alloc(2_000_000, 0x20))
  return { name: `the encoding ${encoding}`, bytes, headers: { 'content-encoding': encoding }, statuses: [415] }
}

/** Malformed bodies: 400. */
export const malformedBodies: readonly OddBody[] = [
  text('half an object', '{', [400]),
  text('null', 'null', [400]),
  text('a list', '[]', [400]),
  text('a text', '"text"', [400]),
  text('a number', '1e999', [400]),
  text('an object with something behind it', '{"a":1}trailing', [400]),
  text('two objects', '{}{}', [400]),
  text('a zero byte', '\u0000', [400]),
  // Endpoints without a key have a lower body limit.
  text('100,000 brackets', '['.repeat(100_000), [400, 413]),
  text('200 levels', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, [400]),
  text('names without quotes', '{a:1}', [400]),
  text('NaN', '{"a":NaN}', [400]),
  text('a comment', '{"a":1/* */}', [400]),
  { name: 'UTF-16', bytes: Buffer.from(good, 'utf16le'), statuses: [400] },
  { name: 'bytes that are no UTF-8', bytes: Buffer.from('ff00fe', 'hex'), statuses: [400] },
]

/** Types and encodings that no endpoint accepts: 415. */
export const unacceptedForms: readonly OddBody[] = [
  ...[
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/json, text/plain',
    'application/x-www-form-urlencoded',
  ].map(typed),
  ...['*/*', ''].map(typed),
  ...['gzip', 'br', 'zstd', 'gzip, gzip', 'GZIP'].map(encoded),
]
