import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Listens where no request may arrive, on both loopback addresses with one port, and counts connections. */
export interface Canary {
  readonly port: number
  readonly connections: number
  close(): Promise<void>
}

export async function startCanary(): Promise<Canary> {
  let connections = 0
  const listen = async (host: string, port: number): Promise<Server> => {
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    server.listen(port, host)
    await once(server, 'listening')
    return server
  }
  const first = await listen('127.0.0.1', 0)
  const address = first.address()
  if (address === null || typeof address === 'string') throw new Error('the canary has no port')
  const { port } = address
  const servers = [first, await listen('::1', port)]
  return {
    port,
    get connections() {
      return connections
    },
    close: async () => {
      await Promise.all(servers.map((server) => once(server.close(), 'close')))
    },
  }
}
