import { connect, type Socket } from 'node:net'

/**
 * Sends bodies except their last 100 bytes, and keeps the connections open. Resolves when the gateway accepts no more
 * bytes: each body is written, answered or closed.
 */
export async function holdBodies(options: {
  url: string
  key: string | null
  count: number
  bytes: number
}): Promise<{ byteCount: number; release(): void }> {
  const { url, key, count, bytes } = options
  const { port } = new URL(url)
  const body = Buffer.alloc(bytes - 100, 0x20)
  const credential = key === null ? '' : `authorization: Bearer ${key}\r\n`
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${credential}content-length: ${bytes}\r\n\r\n`
  const sockets: Socket[] = []
  let byteCount = 0
  await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.66.1.${1 + at}` })
      sockets.push(socket)
      for (const event of ['data', 'error', 'close']) socket.once(event, () => resolve())
      socket.on('error', () => {})
      socket.write(head)
      socket.write(body, (error) => {
        if (error === null || error === undefined) byteCount += body.length
        resolve()
      })
      return promise
    }),
  )
  return {
    byteCount,
    release: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
