import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** A client that asks before sending (`Expect: 100-continue`) gets the response when the body is needed, not before. */
export function deferContinue(server: FastifyInstance): void {
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    heldBack.add(request)
    server.server.emit('request', request, response)
  })
}

export function letSend(request: IncomingMessage, response: ServerResponse): void {
  if (heldBack.delete(request)) response.writeContinue()
}

/** Whether the sender is still waiting for `100 Continue`. */
export function isHeldBack(request: IncomingMessage): boolean {
  return heldBack.has(request)
}

const heldBack = new WeakSet<IncomingMessage>()
