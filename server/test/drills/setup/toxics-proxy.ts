import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * What a network does to a connection between two processes:
 * - `pass`: nothing;
 * - `latency`: every piece arrives late, both ways;
 * - `stall`: connections stay open and nothing arrives any more;
 * - `cut`: open connections are reset, new ones are reset at once;
 * - `cut-after-bytes`: a connection is reset after so many bytes from the client;
 * - `cut-after-match`: the client's bytes are looked through for a text; the piece that holds it is passed on, then the
 *   connection is reset, either at once or when the server's answer to it comes. This happens `times` times.
 */
export type Toxic =
  | { kind: 'pass' }
  | { kind: 'latency'; delayMs: number }
  | { kind: 'stall' }
  | { kind: 'cut' }
  | { kind: 'cut-after-bytes'; bytes: number }
  | { kind: 'cut-after-match'; text: string; when: 'sent' | 'answered'; times: number }

export interface ToxicsProxy {
  readonly port: number
  /** Connections that were reset by a toxic so far. */
  readonly cuts: number
  apply(toxic: Toxic): void
  close(): Promise<void>
}

interface Link {
  client: Socket
  server: Socket
  clientBytes: number
  isDoomed: boolean
  /** Pieces stay in order behind the one that is waiting. */
  towardsServer: Promise<void>
  towardsClient: Promise<void>
}

export async function startToxicsProxy(targetPort: number): Promise<ToxicsProxy> {
  let toxic: Toxic = { kind: 'pass' }
  let cuts = 0
  const links = new Set<Link>()
  const healed = new Set<() => void>()

  function cut(link: Link): void {
    if (!links.delete(link)) return
    cuts += 1
    link.client.resetAndDestroy()
    link.server.destroy()
  }

  async function delay(): Promise<void> {
    if (toxic.kind === 'latency') await wait(toxic.delayMs)
    while (toxic.kind === 'stall') await new Promise<void>((resolve) => healed.add(resolve))
  }

  function fromClient(link: Link, bytes: Buffer): void {
    link.clientBytes += bytes.length
    const current = toxic
    const isMatch = current.kind === 'cut-after-match' && current.times > 0 && bytes.includes(current.text)
    if (isMatch) {
      current.times -= 1
      link.isDoomed = true
      if (current.when === 'sent') {
        // The socket is only let go once the kernel has the bytes, so that the server does receive them.
        link.server.write(bytes, () => cut(link))
        return
      }
    }
    if (current.kind === 'cut-after-bytes' && link.clientBytes >= current.bytes) return cut(link)
    link.towardsServer = link.towardsServer.then(delay).then(() => {
      if (!link.server.destroyed) link.server.write(bytes)
    })
  }

  function fromServer(link: Link, bytes: Buffer): void {
    if (link.isDoomed) return cut(link)
    link.towardsClient = link.towardsClient.then(delay).then(() => {
      if (!link.client.destroyed) link.client.write(bytes)
    })
  }

  const listener = createServer({ noDelay: true }, (client) => {
    client.on('error', () => client.destroy())
    if (toxic.kind === 'cut') {
      client.resetAndDestroy()
      return
    }
    const server = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    const nothing = Promise.resolve()
    const link: Link = {
      client,
      server,
      clientBytes: 0,
      isDoomed: false,
      towardsServer: nothing,
      towardsClient: nothing,
    }
    links.add(link)
    server.on('error', () => client.destroy())
    client.on('data', (bytes) => fromClient(link, Buffer.from(bytes)))
    server.on('data', (bytes) => fromServer(link, Buffer.from(bytes)))
    client.on('close', () => {
      links.delete(link)
      void link.towardsServer.then(() => server.end())
    })
    server.on('close', () => {
      links.delete(link)
      void link.towardsClient.then(() => client.end())
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')

  function apply(next: Toxic): void {
    toxic = next
    for (const wake of healed) wake()
    healed.clear()
    if (next.kind === 'cut') for (const link of [...links]) cut(link)
  }

  return {
    port: address.port,
    get cuts() {
      return cuts
    },
    apply,
    close: async () => {
      apply({ kind: 'cut' })
      listener.close()
      await once(listener, 'close')
    },
  }
}
