import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Road {
  readonly port: number
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** Opens a proxy to Postgres that can be cut. */
export async function openRoad(target: URL): Promise<Road> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server: Server = createServer((socket) => {
    if (isCut) return socket.destroy()
    const onward = connect(Number(target.port || 5432), target.hostname)
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        onward.destroy()
      })
    }
    socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the road has no port')
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    cut: () => {
      isCut = true
      drop()
    },
    mend: () => {
      isCut = false
    },
    close: async () => {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
