import type { LookupFunction } from 'node:net'
import { WebSocket } from 'ws'
import { textSocket } from '#lib/text-socket.ts'
import { SocketRefusedError, type Sockets } from '#ports/sockets.ts'

interface SocketsOptions {
  readonly lookup: LookupFunction
  readonly connectTimeoutMs: number
  /** The largest message that is accepted from an upstream. */
  readonly messageBytesMax: number
}

/** WebSockets over the network, to hosts of the operator's accounts. Redirects are never followed. */
export function createSockets({ lookup, connectTimeoutMs, messageBytesMax }: SocketsOptions): Sockets {
  return {
    open: ({ url, headers }) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(url, {
          headers,
          lookup,
          handshakeTimeout: connectTimeoutMs,
          maxPayload: messageBytesMax,
          perMessageDeflate: false,
          followRedirects: false,
        })
        // Messages that follow the handshake at once must find their listener.
        const texts = textSocket(socket)
        socket.once('open', () => resolve(texts))
        socket.once('unexpected-response', (_request, response) => {
          response.destroy()
          reject(new SocketRefusedError(response.statusCode ?? 0))
        })
        socket.once('error', reject)
      }),
  }
}
