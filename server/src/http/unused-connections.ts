import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections that were opened ahead of need, as browsers and pools do, and have sent nothing. Node counts them among the busy
 * ones, so `closeIdleConnections` leaves them, and a server that closes would wait a minute for each.
 */
export function watchUnusedConnections(server: Server): { close(): void } {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return {
    close: () => {
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
