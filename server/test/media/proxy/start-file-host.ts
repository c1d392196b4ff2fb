import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'

/** A file server on this machine with scripted responses. */
export interface FileHost {
  readonly url: string
  /** Requested paths, in order. */
  readonly asked: string[]
  play(listener: RequestListener): void
  close(): Promise<void>
}

export async function startFileHost(address: string, first: RequestListener): Promise<FileHost> {
  let listener = first
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    listener(request, response)
  })
  server.listen(0, address)
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return {
    url: `http://${address}:${port}`,
    asked,
    play: (next) => {
      listener = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
