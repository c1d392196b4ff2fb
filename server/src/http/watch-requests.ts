import type { FastifyInstance } from 'fastify'

export interface RequestWatch {
  began(): void
  ended(request: { method: string; route: string; status: string }): void
}

/**
 * Reports every request, and again when its response was sent or its client disconnected. All unknown paths share one
 * route name.
 */
export function watchRequests(server: FastifyInstance, watch: RequestWatch): void {
  server.addHook('onRequest', (request, reply, done) => {
    watch.began()
    reply.raw.on('close', () => {
      const { statusCode, headersSent } = reply.raw
      // 499, by convention: the client disconnected before there was a status.
      // The head of a WebSocket is not written by the response.
      const status = headersSent || statusCode === 101 ? statusOf(statusCode) : '499'
      watch.ended({ method: request.method, route: request.routePath ?? 'unknown', status })
    })
    done()
  })
}

const texts = new Map<number, string>()

function statusOf(code: number): string {
  const known = texts.get(code)
  if (known !== undefined) return known
  const text = String(code)
  texts.set(code, text)
  return text
}
