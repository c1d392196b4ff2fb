import Fastify, { type FastifyInstance } from 'fastify'
import { GatewayError } from '#errors/gateway-error.ts'
import { replyWithError, toGatewayError } from '../error-reply.ts'
import { addOperatingRoutes, type OperatingDeps } from './operating-routes.ts'

// Requests here have no body and are answered at once.
const bodyBytesMax = 1_024
const requestTimeoutMs = 10_000

/** Health, readiness and metrics, on a port that is not public. */
export function createOperatingServer(deps: OperatingDeps): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: true,
  })
  server.setErrorHandler((error, _request, reply) => replyWithError(reply, toGatewayError(error)))
  server.setNotFoundHandler((request, reply) => {
    const message = `No route for ${request.method} ${request.url.split('?')[0]}.`
    replyWithError(reply, new GatewayError('notFound', { message }))
  })
  addOperatingRoutes(server, deps)
  return server
}
