import type { FastifyRequest } from 'fastify'

/** The headers of a request in the form of the Fetch API. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const text of Array.isArray(value) ? value : [value]) if (text !== undefined) headers.append(name, text)
  }
  return headers
}
