import { connect } from 'node:net'
import { send } from '../setup/send.ts'
import type { Attack } from '../area.ts'
import { passThrough } from './tenant.ts'

/** The first bytes of a connection, the repeated bytes, and the last status that it receives. */
interface SlowHead {
  readonly first: string
  readonly drip: string
  readonly lastStatus?: '200'
}

const line = 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n'
const slowHeads: Readonly<Record<string, SlowHead>> = {
  'nothing at all': { first: '', drip: '' },
  'half a request line': { first: 'POST /v1/ch', drip: '' },
  'a request line byte by byte': { first: 'POST /', drip: 'a' },
  'half a head': { first: `${line}content-ty`, drip: '' },
  'a header byte by byte': { first: `${line}x-a: `, drip: 'a' },
  'a head without an end': { first: line, drip: 'x-a: b\r\n' },
  // Its connection is closed without another response.
  'a second head that stops, after an answer': {
    first: `GET /health HTTP/1.1\r\nhost: x\r\n\r\n${line}`,
    drip: '',
    lastStatus: '200',
  },
}

// Short enough that each connection drips many times before the gateway may give up.
const dripEveryMs = 50
const headTimeoutMs = 1_000
const addressConnectionsMax = 40
// Far longer than the gateway's timeout: only a connection that it keeps reaches this.
const hangMs = 30_000

/** An attacker at one address sends heads that never end while a tenant at another calls a model. */
export async function trySlowHeads(attack: Attack): Promise<void> {
  const { world, report, isShort } = attack
  const gateway = await world.startGatewayWith({
    WEIR_HTTP_HEAD_TIMEOUT_MS: String(headTimeoutMs),
    WEIR_HTTP_ADDRESS_CONNECTIONS_MAX: String(addressConnectionsMax),
  })
  const tenant = await world.createClient()
  world.noteUnseen(tenant.keyId)
  const calls = { callsMin: isShort ? 50 : 400, forMsMin: 0 }
  const each = isShort ? 10 : addressConnectionsMax
  const ended = Object.entries(slowHeads).map(async ([name, head], at) => {
    const label = `[B5] ${each} connections with ${name}`
    if (!report.attempt(label)) return
    const ends = await Promise.all(Array.from({ length: each }, () => hold(gateway.url, head, `127.66.2.${1 + at}`)))
    const { lastStatus = '408' } = head
    const wrong = ends.filter((end) => end !== lastStatus)
    if (wrong.length === 0) return
    report.find({ label, expected: `${lastStatus} and an end for each`, got: `${wrong.length} others: ${wrong[0]}` })
  })
  const [passage] = await Promise.all([
    passThrough({ url: gateway.url, key: tenant.key, model: 'test/echo' }, calls),
    ...ended,
  ])
  report.judge({
    label: '[B5] another tenant beside slow heads',
    isRight: passage.failures.length === 0,
    expected: 'no failure',
    got: `${passage.failures.length} of ${passage.calls}: ${passage.failures[0]}`,
  })
  await tryBudget(attack, gateway.url, tenant.key)
  await world.endGateway(gateway)
}

/**
 * More connections than one address may have: the excess is rejected, and the slots are free again after the slow ones
 * end.
 */
async function tryBudget({ report }: Attack, url: string, key: string): Promise<void> {
  const label = `[B5] ${3 * addressConnectionsMax} slow heads of one address`
  if (!report.attempt(label)) return
  const from = '127.66.2.100'
  const half = { first: `${line}content-ty`, drip: '' }
  const [passage, ...ends] = await Promise.all([
    passThrough({ url, key, model: 'test/echo' }, { callsMin: 20, forMsMin: 0 }),
    ...Array.from({ length: 3 * addressConnectionsMax }, () => hold(url, half, from)),
  ])
  const counts = Map.groupBy(ends, (end) => end)
  const got = [...counts].map(([end, those]) => `${those.length} × ${end}`).join(', ')
  report.figure(`${label}: ${got}`)
  const isBounded = counts.has('408') && counts.has('503') && counts.size === 2 && passage.failures.length === 0
  if (!isBounded) {
    report.find({ label, expected: '408 or 503, and no failure of others', got: `${got}; ${passage.failures.join()}` })
  }
  const { status } = await send(`${url}/health`, { localAddress: from })
  report.judge({ label: `${label}, afterwards`, isRight: status === 200, expected: '200', got: String(status) })
}

/** Keeps one connection until the gateway closes it; returns its last status, or why there is none. */
function hold(url: string, { first, drip }: SlowHead, localAddress: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
  let text = ''
  let isRefused = false
  const dripping = setInterval(() => {
    if (drip !== '' && socket.writable && !isRefused) socket.write(drip)
  }, dripEveryMs)
  const patience = setTimeout(() => {
    text = `still open after ${hangMs} ms`
    socket.destroy()
  }, hangMs)
  socket.on('connect', () => first !== '' && socket.write(first))
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    isRefused = / (?:408|503) /.test(text)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(dripping)
    clearTimeout(patience)
    const statuses = text.match(/(?<=HTTP\/1\.1 )\d{3}/g)
    resolve(statuses?.at(-1) ?? (text || 'closed without an answer'))
  })
  return promise
}

/** A connection that is idle after its response is closed eventually. */
export async function tryIdle({ world, report }: Attack): Promise<void> {
  const label = '[B5] a connection that is left idle after its answer'
  if (!report.attempt(label)) return
  const { port } = new URL(world.pair[0].url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.66.2.200' })
  const closed = Promise.withResolvers<boolean>()
  const patience = setTimeout(() => closed.resolve(false), idleMaxMs)
  socket.on('error', () => {})
  socket.on('close', () => closed.resolve(true))
  socket.resume()
  socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  const isClosed = await closed.promise
  clearTimeout(patience)
  socket.destroy()
  if (!isClosed) report.find({ label, expected: `closed within ${idleMaxMs} ms`, got: 'still open' })
}

// The gateway keeps it open for 75 s.
const idleMaxMs = 120_000
