import type { Authentication } from './authentication.ts'

/**
 * Headers of every request to an upstream. No client header is forwarded. Compressed bodies are not requested, because
 * streams are scanned as bytes.
 */
export function requestHeaders({ contentType, accept }: Content): Record<string, string> {
  return {
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(accept === undefined ? {} : { accept }),
    'accept-encoding': 'identity',
    'user-agent': 'weir',
  }
}

interface Content {
  readonly contentType?: string
  readonly accept?: string
}

/** Headers for a JSON request with an event or JSON response. */
export function jsonHeaders(stream: boolean): Record<string, string> {
  return requestHeaders({
    contentType: 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
  })
}

export function credentialHeaders(authentication: Authentication, credential: string | null): Record<string, string> {
  if (credential === null) return {}
  if (authentication.kind !== 'header') return { authorization: `Bearer ${credential}` }
  const { name, scheme } = authentication
  return { [name]: scheme === undefined ? credential : `${scheme} ${credential}` }
}
