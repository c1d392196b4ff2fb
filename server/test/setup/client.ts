import { sessionCookieName } from '#test/setup/session-cookie.ts'
import { ownOrigin } from './own-origin.ts'
import { readReply, type Reply } from './reply.ts'

/** Sends requests to one gateway with one credential, or with none. */
export interface Client {
  readonly url: string
  /** The key's secret; empty for a session, and without a credential. */
  readonly key: string
  get(path: string, options?: CallOptions): Promise<Reply>
  post(path: string, body?: CallBody, options?: CallOptions): Promise<Reply>
  put(path: string, body?: CallBody, options?: CallOptions): Promise<Reply>
  patch(path: string, body?: CallBody, options?: CallOptions): Promise<Reply>
  delete(path: string, options?: CallOptions): Promise<Reply>
  send(method: string, path: string, body?: CallBody, options?: CallOptions): Promise<Reply>
  /** Resolves with the head of the response, for a test that reads the rest bit by bit, or not at all. */
  open(method: string, path: string, body?: CallBody, options?: CallOptions): Promise<Response>
}

/**
 * A key's secret or the `Cookie` header of a session. A plain string is a cookie if it starts with the cookie's name.
 */
export type Credential = string | { readonly key: string } | { readonly cookie: string }

/** Strings, bytes, forms and streams are sent unchanged, everything else as JSON. */
export type CallBody = string | object

export interface CallOptions {
  /** Added to the headers of the credential and of the body; they replace headers of the same name. */
  headers?: Readonly<Record<string, string>> | undefined
  signal?: AbortSignal | undefined
}

export function createClient(url: string, credential?: Credential): Client {
  const identity = identityOf(credential)

  function open(method: string, path: string, body?: CallBody, options: CallOptions = {}): Promise<Response> {
    return fetch(url + path, {
      method,
      headers: { ...identityHeaders(identity, method), ...typeHeaders(body), ...options.headers },
      // Redirects are not followed, so that every response is the gateway's own.
      redirect: 'manual',
      duplex: 'half',
      ...(body === undefined ? {} : { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
  }

  const send: Client['send'] = async (...call) => readReply(await open(...call))
  return {
    url,
    key: identity.key ?? '',
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
    send,
    open,
  }
}

interface Identity {
  readonly key?: string
  readonly cookie?: string
}

function identityOf(credential: Credential | undefined): Identity {
  if (typeof credential !== 'string') return credential ?? {}
  return credential.startsWith(`${sessionCookieName}=`) ? { cookie: credential } : { key: credential }
}

/** Like a browser, a session sends its origin with every write. */
function identityHeaders({ key, cookie }: Identity, method: string): Record<string, string> {
  if (key !== undefined) return { authorization: `Bearer ${key}` }
  if (cookie === undefined) return {}
  return method === 'GET' || method === 'HEAD' ? { cookie } : { cookie, origin: ownOrigin }
}

/** A form states its own type with the boundary. */
function typeHeaders(body: CallBody | undefined): Record<string, string> {
  return body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }
}

type SentAsItIs = string | FormData | Uint8Array<ArrayBuffer> | ReadableStream

function isSentAsItIs(body: CallBody): body is SentAsItIs {
  return (
    typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array || body instanceof ReadableStream
  )
}
