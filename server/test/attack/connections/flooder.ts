import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type FloodKind, type FloodOrder, floodKinds } from './flood.ts'

/** The attacker's process, separate from the measured client. Everything it does is bounded and goes to loopback. */
process.on('message', (message) => {
  if (message === 'stop') return stop()
  start(parseOrder(message))
})
process.on('disconnect', () => process.exit())

const attackerAddress = '127.66.0.1'
const dripEveryMs = 1_000
// New connections replace those that the gateway closes, at this rate at most.
const reopenPerTick = 50
const tickMs = 100
const namesPerOrder = 20_000
const sent: Record<string, number> = {}
const ends: (() => void)[] = []

function count(what: string): void {
  sent[what] = (sent[what] ?? 0) + 1
}

function start(order: FloodOrder): void {
  const { hostname } = new URL(order.url)
  if (hostname !== '127.0.0.1') throw new Error(`not on loopback: ${order.url}`)
  const standing = order.kinds.map((kind) => starts[kind](order))
  void Promise.all(standing).then(() => process.send?.({ standing: true }))
}

function stop(): void {
  for (const end of ends.splice(0)) end()
  process.send?.({ sent: { ...sent } })
}

const starts: Readonly<Record<FloodKind, (order: FloodOrder) => Promise<void>>> = {
  silent: (order) => keepOpen(order, 'silent', () => ({ first: '', drip: '' })),
  'slow heads': (order) =>
    keepOpen(order, 'slow heads', () => ({
      first: 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n',
      drip: 'x-a: b\r\n',
    })),
  'slow bodies': (order) =>
    keepOpen(order, 'slow bodies', (at) => ({
      first: `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 10000000\r\n${
        at % 2 === 0 ? `authorization: Bearer ${order.key}\r\n` : ''
      }\r\n{"a":"`,
      drip: 'a',
    })),
  bombs: (order) => {
    const numbers = Array(4_850_000).fill(1).join(',')
    const open = Buffer.from(`{"__proto__":1,"key":"sk-edu-x","email":"a@b.c","x":[${numbers}]}`)
    const chat = Buffer.from(`{"__proto__":1,"model":"test/echo","messages":[],"x":[${numbers}]}`)
    repeat('bombs', () => post(order, '/api/edu/request-code', open, false))
    repeat('bombs', () => post(order, '/v1/chat/completions', chat, true))
    return Promise.resolve()
  },
  names: (order) => {
    repeat('names', () => post(order, '/v1/videos', orderOf(namesPerOrder), true))
    for (let lane = 0; lane < 32; lane += 1) repeat('names', () => post(order, '/v1/videos', orderOf(9), true))
    return Promise.resolve()
  },
}

function orderOf(names: number): Buffer {
  const input_references = Array.from({ length: names }, () => `https://flood-${Math.random()}.dns.example/a.png`)
  return Buffer.from(JSON.stringify({ model: 'google/veo-3.1', prompt: 'x', input_references }))
}

/** Keeps this many dripping connections open; resolves when all are open. */
function keepOpen(
  { url, connections }: FloodOrder,
  kind: FloodKind,
  wordsOf: (at: number) => { first: string; drip: string },
): Promise<void> {
  const { port } = new URL(url)
  const sockets = new Map<Socket, string>()
  const standing = Promise.withResolvers<void>()
  let [opened, connected] = [0, 0]
  const open = (): void => {
    const { first, drip } = wordsOf(opened)
    opened += 1
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: attackerAddress })
    sockets.set(socket, drip)
    socket.on('connect', () => {
      count(kind)
      if (first !== '') socket.write(first)
      connected += 1
      if (connected >= connections) standing.resolve()
    })
    socket.on('data', () => {})
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const refill = (): void => {
    const missing = connections - sockets.size
    for (
      let at = 0;
      at < Math.min(missing, reopenPerTick * 10, opened < connections ? missing : reopenPerTick);
      at += 1
    )
      open()
  }
  refill()
  const refilling = setInterval(refill, tickMs)
  const dripping = setInterval(() => {
    for (const [socket, drip] of sockets) if (drip !== '' && !socket.connecting && socket.writable) socket.write(drip)
  }, dripEveryMs)
  ends.push(() => {
    clearInterval(refilling)
    clearInterval(dripping)
    for (const socket of sockets.keys()) socket.destroy()
  })
  return standing.promise
}

/** Sends one request after another, at most two per second. */
function repeat(kind: FloodKind, work: () => Promise<void>): void {
  let isOver = false
  ends.push(() => {
    isOver = true
  })
  const next = async (): Promise<void> => {
    if (isOver) return
    count(kind)
    await work()
    if (!isOver) setTimeout(next, 500)
  }
  void next()
}

function post({ url, key }: FloodOrder, path: string, body: Buffer, hasKey: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...(hasKey ? { authorization: `Bearer ${key}` } : {}),
  }
  const asked = request(url + path, { method: 'POST', agent: false, localAddress: attackerAddress, headers })
  ends.push(() => asked.destroy())
  asked.on('response', (response) => response.resume().on('close', resolve))
  asked.on('error', () => resolve())
  asked.on('close', () => resolve())
  asked.end(body)
  return promise
}

function parseOrder(message: unknown): FloodOrder {
  if (typeof message !== 'object' || message === null || !('kinds' in message) || !Array.isArray(message.kinds)) {
    throw new Error(`not an order: ${JSON.stringify(message)}`)
  }
  const { url, key, connections } = { url: '', key: '', connections: 0, ...message }
  const kinds = floodKinds.filter((kind) => Array.isArray(message.kinds) && message.kinds.includes(kind))
  return { kinds, url: String(url), key: String(key), connections: Math.min(2_000, Number(connections)) }
}
