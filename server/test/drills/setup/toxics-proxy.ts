import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * A network fault on a connection between two processes:
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
  /** The number of connections reset by a toxic so far. */
  readonly cuts: number
  apply(toxic: Toxic): void
  close(): Promise<void>
}

export async function startToxicsProxy(targetPort: number): Promise<ToxicsProxy> {
  const network = new Network()
  const listener = createServer({ noDelay: true }, (client) => network.join(client, targetPort))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    get cuts() {
      return network.cuts
    },
    apply: (toxic) => network.apply(toxic),
    close: async () => {
      network.apply({ kind: 'cut' })
      listener.close()
      await once(listener, 'close')
    },
  }
}

interface Link {
  client: Socket
  server: Socket
  clientBytes: number
  /** The response to a matched text is in transit and must not arrive. */
  isDoomed: boolean
  /** Pieces stay in order behind a delayed one. */
  towardsServer: Promise<void>
  towardsClient: Promise<void>
}

class Network {
  cuts = 0
  #toxic: Toxic = { kind: 'pass' }
  #changed = Promise.withResolvers<void>()
  readonly #links = new Set<Link>()

  apply(toxic: Toxic): void {
    this.#toxic = toxic
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
    if (toxic.kind === 'cut') for (const link of this.#links) this.#cut(link)
  }

  join(client: Socket, targetPort: number): void {
    client.on('error', () => client.destroy())
    if (this.#toxic.kind === 'cut') {
      client.resetAndDestroy()
      return
    }
    const server = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    const sent = Promise.resolve()
    const link: Link = { client, server, clientBytes: 0, isDoomed: false, towardsServer: sent, towardsClient: sent }
    this.#links.add(link)
    server.on('error', () => client.destroy())
    client.on('data', (bytes) => this.#fromClient(link, Buffer.from(bytes)))
    server.on('data', (bytes) => this.#fromServer(link, Buffer.from(bytes)))
    client.on('close', () => {
      this.#links.delete(link)
      void link.towardsServer.then(() => server.end())
    })
    server.on('close', () => {
      this.#links.delete(link)
      void link.towardsClient.then(() => client.end())
    })
  }

  #fromClient(link: Link, bytes: Buffer): void {
    const toxic = this.#toxic
    link.clientBytes += bytes.length
    if (toxic.kind === 'cut-after-bytes' && link.clientBytes >= toxic.bytes) return this.#cut(link)
    if (toxic.kind === 'cut-after-match' && toxic.times > 0 && bytes.includes(toxic.text)) {
      toxic.times -= 1
      link.isDoomed = true
      if (toxic.when === 'sent') {
        // The socket is only closed once the kernel has the bytes, so that the server does receive them.
        link.server.write(bytes, () => this.#cut(link))
        return
      }
    }
    link.towardsServer = link.towardsServer.then(() => this.#deliver(link.server, bytes))
  }

  #fromServer(link: Link, bytes: Buffer): void {
    if (link.isDoomed) return this.#cut(link)
    link.towardsClient = link.towardsClient.then(() => this.#deliver(link.client, bytes))
  }

  async #deliver(socket: Socket, bytes: Buffer): Promise<void> {
    if (this.#toxic.kind === 'latency') await wait(this.#toxic.delayMs)
    while (this.#toxic.kind === 'stall') await this.#changed.promise
    if (!socket.destroyed) socket.write(bytes)
  }

  #cut(link: Link): void {
    if (!this.#links.delete(link)) return
    this.cuts += 1
    link.client.resetAndDestroy()
    link.server.destroy()
  }
}
