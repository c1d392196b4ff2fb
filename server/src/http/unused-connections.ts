import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const newMs = 3_000

/**
 * Connections that were opened in advance, as browsers and pools do, and have sent nothing. Node counts them as busy,
 * so `closeIdleConnections` keeps them, and a closing server would wait a minute for each. A connection that was opened
 * just now most likely has a request on its way.
 */
export function watchUnusedConnections(
  server: Server,
  nowMs: () => number = () => performance.now(),
): { close(): void } {
  const unused = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    unused.set(socket, nowMs())
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return {
    close: () => {
      const openedBefore = nowMs() - newMs
      for (const [socket, openedAt] of unused) {
        if (openedAt <= openedBefore && socket.bytesRead === 0) socket.destroy()
      }
    },
  }
}
