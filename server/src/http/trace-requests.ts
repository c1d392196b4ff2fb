import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRecorded, type RecordedTrace, type RequestTrace } from '#domain/tracing/request-trace.ts'
import type { Tracer } from '#domain/tracing/tracer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if tracing is off, and outside the API. */
    trace: RequestTrace | null
  }
}

/**
 * Gives every API request a trace with a root span. Pages, probes and unknown paths have none. A trace that begins here
 * has the same digits as the request's id, so that each can be found by the other.
 */
export function traceRequests(server: FastifyInstance, tracer: Tracer | null): void {
  server.decorateRequest('trace', null)
  if (tracer === null) return
  server.addHook('onRequest', (request, reply, done) => {
    const route = request.routePath
    if (route !== null && apiForm.test(route)) {
      request.trace = tracer.begin({
        id: request.id.slice(idStart),
        name: `${request.method} ${route}`,
        traceParent: request.headers['traceparent'],
        traceState: request.headers['tracestate'],
      })
      if (isRecorded(request.trace)) watch(request.trace, request, reply, route)
    }
    done()
  })
}

const apiForm = /^\/(?:api|v1)\//
const idStart = 'req_'.length

function watch({ root }: RecordedTrace, request: FastifyRequest, reply: FastifyReply, route: string): void {
  root.set('httpMethod', request.method)
  root.set('httpRoute', route)
  root.set('urlScheme', request.protocol)
  // A path with parameters may contain secrets, such as an email token.
  root.set('urlPath', /[:*]/.test(route) ? null : route)
  root.set('requestId', request.id)
  reply.raw.once('close', () => {
    const { statusCode, headersSent, writableFinished } = reply.raw
    root.set('httpStatus', headersSent ? statusCode : null)
    root.set('isCancelled', writableFinished ? null : true)
    if (headersSent && statusCode >= 500) root.fail(String(statusCode), { isOurs: true })
    root.end()
  })
}
