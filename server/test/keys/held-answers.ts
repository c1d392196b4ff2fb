import { createServer, connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** A proxy to Postgres that delays the response to one statement, identified by its text, until it is released. */
export interface HeldAnswers {
  url: string
  /** Resolves when the response to a statement with this text has arrived from Postgres and is held. */
  hold(text: string): Promise<void>
  release(): void
  close(): Promise<void>
}

export async function holdAnswersOf(databaseUrl: string): Promise<HeldAnswers> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let awaited: { text: string; onHeld: () => void } | null = null
  let release: (() => void) | null = null

  const server = createServer((client) => {
    const engine = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, engine]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    let kept: Buffer[] | null = null
    let onHeld: (() => void) | null = null
    client.on('data', (bytes) => {
      if (awaited !== null && bytes.includes(awaited.text)) {
        kept = []
        onHeld = awaited.onHeld
        awaited = null
        release = () => {
          for (const part of kept ?? []) client.write(part)
          kept = null
        }
      }
      engine.write(bytes)
    })
    engine.on('data', (bytes) => {
      if (kept === null) {
        client.write(bytes)
        return
      }
      kept.push(bytes)
      onHeld?.()
    })
    client.on('close', () => engine.destroy())
    engine.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(address.port)
  return {
    url: url.href,
    hold: (text) =>
      new Promise((resolve) => {
        awaited = { text, onHeld: resolve }
      }),
    release: () => release?.(),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
