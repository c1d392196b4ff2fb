import type { RequestTrace } from './request-trace.ts'

interface Addressed {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
}

/** Adds the trace headers to a request if the target host may see them. */
export type Propagate = <Request extends Addressed>(trace: RequestTrace | null, request: Request) => Request

/** Sends no trace headers to any upstream. */
export const keepTrace: Propagate = (_trace, request) => request

/** Hosts as `name`, for every port, or as `name:port`. Providers get no trace headers unless they are listed. */
export function createPropagate(hosts: readonly string[]): Propagate {
  if (hosts.length === 0) return keepTrace
  const known = new Set(hosts.map((host) => host.toLowerCase()))
  return (trace, request) => {
    if (trace === null || !isKnown(known, request.origin)) return request
    return { ...request, headers: { ...request.headers, ...trace.headers() } }
  }
}

function isKnown(known: ReadonlySet<string>, origin: string): boolean {
  const url = URL.parse(origin)
  if (url === null) return false
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return known.has(url.hostname) || known.has(`${url.hostname}:${port}`)
}
