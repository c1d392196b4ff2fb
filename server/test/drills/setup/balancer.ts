import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * A minimal load balancer: connections go round-robin to the ready gateways, checked every 50 ms, and a refused
 * connection goes to the next one. Nothing is ever sent twice.
 */
export interface Balancer {
  readonly url: string
  /** Resolves when the gateway is in the rotation. */
  add(gatewayUrl: string): Promise<void>
  /** Removes a stopped gateway, because another process may get its port. */
  remove(gatewayUrl: string): void
  close(): Promise<void>
}

const askEveryMs = 50

export async function startBalancer(): Promise<Balancer> {
  const rotation = createRotation()
  const listener = createServer({ noDelay: true }, (client) => {
    client.on('error', () => client.destroy())
    send(rotation, client, 3)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    add: rotation.add,
    remove: rotation.remove,
    close: async () => {
      rotation.clear()
      listener.close()
      await once(listener, 'close')
    },
  }
}

interface Rotation {
  next(): string | undefined
  add(gatewayUrl: string): Promise<void>
  remove(gatewayUrl: string): void
  clear(): void
}

function createRotation(): Rotation {
  const ready = new Map<string, boolean>()
  let turn = 0

  async function ask(gatewayUrl: string): Promise<void> {
    const isReady = await fetch(`${gatewayUrl}/ready`, { headers: { connection: 'close' } }).then(
      (response) => response.status === 200,
      () => false,
    )
    if (ready.has(gatewayUrl)) ready.set(gatewayUrl, isReady)
  }

  // One check at a time, so that no late response hides a newer one.
  async function keepAsking(gatewayUrl: string): Promise<void> {
    while (ready.has(gatewayUrl)) {
      await wait(askEveryMs)
      await ask(gatewayUrl)
    }
  }

  return {
    next: () => {
      const choices = [...ready].filter(([, isReady]) => isReady).map(([url]) => url)
      turn += 1
      return choices[turn % choices.length]
    },
    add: async (gatewayUrl) => {
      ready.set(gatewayUrl, false)
      await ask(gatewayUrl)
      void keepAsking(gatewayUrl)
    },
    remove: (gatewayUrl) => {
      ready.delete(gatewayUrl)
    },
    clear: () => ready.clear(),
  }
}

function send(rotation: Rotation, client: Socket, triesLeft: number): void {
  const gatewayUrl = rotation.next()
  if (triesLeft === 0) {
    client.resetAndDestroy()
    return
  }
  // A busy machine may delay a gateway's readiness response.
  if (gatewayUrl === undefined) {
    setTimeout(send, askEveryMs, rotation, client, triesLeft)
    return
  }
  const server = connect(Number(new URL(gatewayUrl).port), '127.0.0.1')
  let isConnected = false
  server.once('connect', () => {
    isConnected = true
    client.pipe(server).pipe(client)
  })
  server.on('error', () => {
    if (isConnected) client.resetAndDestroy()
    else send(rotation, client, triesLeft - 1)
  })
  client.on('close', () => server.destroy())
}
