import type { FastifyInstance } from 'fastify'

export interface RequestWatch {
  began(): void
  ended(request: { method: string; route: string; status: string }): void
}

/**
 * Tells of every request, and again when its answer has been sent or its client has left. Paths that are no route are
 * one.
 */
export function watchRequests(server: FastifyInstance, watch: RequestWatch): void {
  server.addHook('onRequest', async (request, reply) => {
    watch.began()
    reply.raw.once('close', () => {
      const { statusCode, headersSent } = reply.raw
      // 499, as others have it: the client left before there was a status.
      const status = headersSent ? statusOf(statusCode) : '499'
      watch.ended({ method: request.method, route: request.routeOptions.url ?? 'unknown', status })
    })
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
