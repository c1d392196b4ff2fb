import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { asGatewayError, type GatewayError } from '#errors/gateway-error.ts'
import type { StreamedBody } from './endpoint.ts'

// As long as a caller of a model may take nothing.
const idleTimeoutMs = 120_000

/**
 * Sends chunks as fast as the caller takes them. The first is made before the head goes out, so that what fails at once
 * still gets its status; what fails later can only break the connection, which no client takes for a complete answer.
 */
export async function sendStream(
  reply: FastifyReply,
  head: StreamHead,
  stream: StreamedBody,
  onBroken: (error: GatewayError) => void,
): Promise<FastifyReply> {
  const iterator = stream.chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  reply.raw.setTimeout(idleTimeoutMs, () => reply.raw.destroy())
  return writeHead(reply, head, stream).send(Readable.from(goOn(first, iterator, onBroken)))
}

export interface StreamHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** All but the chunks, none of which is made for it. */
export function writeHead(reply: FastifyReply, { status, headers }: StreamHead, stream: StreamedBody): FastifyReply {
  return reply.code(status).headers(headers).type(stream.contentType)
}

async function* goOn(
  first: IteratorResult<string | Buffer>,
  iterator: AsyncIterator<string | Buffer>,
  onBroken: (error: GatewayError) => void,
): AsyncGenerator<string | Buffer> {
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
  } catch (error) {
    onBroken(asGatewayError(error))
    throw error
  } finally {
    // Also when the caller has left in the middle.
    await iterator.return?.()
  }
}
