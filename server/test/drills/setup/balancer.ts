import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A load balancer as small as it can be: connections go round-robin to whoever says it is ready, asked every 50 ms, and
 * a connection that is refused goes to the next one. What has been sent once is never sent again.
 */
export interface Balancer {
  readonly url: string
  /** Resolves when the gateway is in the rotation. */
  add(gatewayUrl: string): Promise<void>
  close(): Promise<void>
}

const askEveryMs = 50

export async function startBalancer(): Promise<Balancer> {
  const ready = new Map<string, boolean>()
  let turn = 0

  async function ask(gatewayUrl: string): Promise<void> {
    const isReady = await fetch(`${gatewayUrl}/ready`, { headers: { connection: 'close' } }).then(
      (response) => response.status === 200,
      () => false,
    )
    ready.set(gatewayUrl, isReady)
  }

  function next(): string | undefined {
    const choices = [...ready].filter(([, isReady]) => isReady).map(([url]) => url)
    turn += 1
    return choices[turn % choices.length]
  }

  function send(client: Socket, triesLeft: number): void {
    const gatewayUrl = next()
    if (gatewayUrl === undefined || triesLeft === 0) {
      client.resetAndDestroy()
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
      else send(client, triesLeft - 1)
    })
    client.on('close', () => server.destroy())
  }

  const listener = createServer({ noDelay: true }, (client) => {
    client.on('error', () => client.destroy())
    send(client, 3)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port')
  const timer = setInterval(() => {
    for (const gatewayUrl of ready.keys()) void ask(gatewayUrl)
  }, askEveryMs)
  return {
    url: `http://127.0.0.1:${address.port}`,
    add: ask,
    close: async () => {
      clearInterval(timer)
      listener.close()
      await once(listener, 'close')
    },
  }
}
