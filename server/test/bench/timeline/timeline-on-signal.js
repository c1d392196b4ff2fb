// Loaded before a gateway by `npm run bench -- timeline`: the first SIGUSR2 starts the recording, the second writes it.
// It watches Node's HTTP server, undici and the sockets to Postgres and Redis, so the gateway runs unchanged. Requests
// are linked by ids that the gateway sends itself: the generation id of the response is that of the hold and the settle,
// and the wallet of the hold is in the keys of Redis.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { GCProfiler } from 'node:v8'

const postgresPort = Number(new URL(process.env.WEIR_POSTGRES_URL).port)
const redisPort = Number(new URL(process.env.WEIR_REDIS_URL).port)
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const kinds = { 'place-hold': 'hold', 'place-holds': 'hold', 'settle-generation': 'settle', 'settle-generations': 'settle' }

const nowMs = () => performance.now()
const store = new AsyncLocalStorage()
const collector = new GCProfiler()
const delay = monitorEventLoopDelay({ resolution: 10 })
const recorded = { requests: [], statements: [], redis: [] }
let isRecording = false
let cpuBefore = process.cpuUsage()
let startedMs = 0

const records = new WeakMap()
subscribe('http.server.request.start', ({ request }) => {
  if (!isRecording || request.method !== 'POST') return
  const record = { receivedMs: nowMs() }
  records.set(request, record)
  request.once('end', () => {
    record.bodyReadMs = nowMs()
  })
  store.enterWith(record)
})
subscribe('http.server.response.finish', ({ request, response }) => {
  const record = records.get(request)
  const id = /x-generation-id: gen-(\S+)/i.exec(Reflect.get(response, '_header') ?? '')?.[1]
  if (record === undefined || id === undefined) return
  recorded.requests.push({ ...record, id: digitsOf(id), writtenMs: nowMs() })
})

const attempts = new WeakMap()
subscribe('undici:request:create', ({ request }) => {
  const record = store.getStore()
  if (record === undefined) return
  attempts.set(request, record)
  record.sentMs = nowMs()
})
subscribe('undici:request:trailers', ({ request }) => {
  const record = attempts.get(request)
  if (record !== undefined) record.answeredMs = nowMs()
})

const { write, push } = Socket.prototype
Socket.prototype.write = function writeWatched(data, ...rest) {
  const watch = isRecording ? watchOf(this) : null
  if (watch !== null) watch.sent(data)
  return Reflect.apply(write, this, [data, ...rest])
}
Socket.prototype.push = function pushWatched(data, ...rest) {
  const watch = isRecording ? watchOf(this) : null
  if (watch !== null && data !== null) watch.received(data)
  return Reflect.apply(push, this, [data, ...rest])
}

const watches = new WeakMap()
function watchOf(socket) {
  const known = watches.get(socket)
  if (known !== undefined) return known
  const { remotePort } = socket
  if (remotePort === undefined) return null
  const made =
    remotePort === postgresPort ? createPostgresWatch() : remotePort === redisPort ? createRedisWatch() : null
  watches.set(socket, made)
  return made
}

/** A connection has one statement in flight at a time. */
function createPostgresWatch() {
  let current = null
  return {
    sent: (data) => {
      if (data[0] !== 'B'.charCodeAt(0)) return
      const text = data.toString('latin1')
      const kind = kinds[text.slice(6, text.indexOf('\0', 6))]
      if (kind === undefined) return
      const [ids, wallets] = idsOf(text)
      current = { kind, ids: ids.map(digitsOf), wallets, sentMs: nowMs() }
    },
    received: (data) => {
      // ReadyForQuery is the last message of a reply.
      if (current === null || data.toString('latin1', data.length - 6, data.length - 1) !== 'Z\0\0\0\x05') return
      recorded.statements.push({ ...current, answeredMs: nowMs() })
      current = null
    },
  }
}

/** Statements for batches begin with an array of ids and one of wallets, others with one id and one wallet. */
function idsOf(text) {
  const arrays = [...text.matchAll(/\{([0-9a-f,-]{36,})\}/g)].map((match) => match[1].split(','))
  const [id, wallet] = text.match(uuid) ?? []
  return arrays.length >= 2 ? arrays : [[id], [wallet]]
}

/** Public ids have no hyphens. */
function digitsOf(id) {
  return id.replaceAll('-', '')
}

/** Scripts reply in order, each with a flat array. */
function createRedisWatch() {
  const waiting = []
  return {
    sent: (data) => {
      const commands = String(data).split(/evalsha/i).slice(1)
      for (const command of commands) waiting.push({ wallet: command.match(uuid)?.[0] ?? null, sentMs: nowMs() })
    },
    received: (data) => {
      const replies = data.toString('latin1').match(/^\*/gm)?.length ?? 0
      for (const call of waiting.splice(0, replies)) recorded.redis.push({ ...call, answeredMs: nowMs() })
    },
  }
}

process.on('SIGUSR2', () => {
  if (!isRecording) {
    isRecording = true
    cpuBefore = process.cpuUsage()
    startedMs = nowMs()
    delay.enable()
    collector.start()
    return
  }
  const cpu = process.cpuUsage(cpuBefore)
  const use = { ms: nowMs() - startedMs, cpuUs: cpu.user + cpu.system }
  const delayMs = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }
  const collections = collector.stop().statistics
  writeFileSync(process.env.WEIR_TEST_TIMELINE_FILE, JSON.stringify({ ...recorded, collections, delayMs, process: use }))
  process.exit(0)
})
