import { createServer, type ServerResponse } from 'node:http'
import { Redis } from 'ioredis'
import { Pool as Database } from 'pg'
import { type Dispatcher, Pool } from 'undici'
import { Batcher } from '#lib/batcher.ts'
import { newUuid } from '#lib/uuid.ts'

/**
 * The minimum of a relay that never loses a charge: it counts in Redis, holds before it calls the upstream, and writes
 * the end of a response once its charge is on disk. Holds and charges use the gateway's own batcher, with two
 * statements in progress. It neither authenticates clients nor parses bodies: it shows the cost of the guarantee alone.
 *
 * Usage: node durable-relay.ts <port> <upstream-origin> <postgres-url> <redis-url>
 */
const [port, upstream, postgresUrl, redisUrl] = process.argv.slice(2)
if (port === undefined || upstream === undefined || postgresUrl === undefined || redisUrl === undefined) {
  throw new Error('usage: durable-relay.ts <port> <upstream-origin> <postgres-url> <redis-url>')
}

const holdNano = 1_000_000n
const chargeNano = 100_000n
const batching = { batchMax: 500, inFlightMax: 2, queueMax: 100_000, refusal: () => new Error('too many wait') }
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']

const pool = new Pool(upstream, { pipelining: 1 })
const redis = new Redis(redisUrl)
// Plans are made once per connection, and connections are kept.
const settings = '-c plan_cache_mode=force_generic_plan'
const holding = new Database({
  connectionString: postgresUrl,
  max: 2,
  idleTimeoutMillis: 0,
  options: `${settings} -c synchronous_commit=off`,
})
const settling = new Database({ connectionString: postgresUrl, max: 2, idleTimeoutMillis: 0, options: settings })

const holds = new Batcher<number, true>({
  ...batching,
  send: async (wallets) => {
    await holding.query({
      name: 'hold',
      text: `UPDATE wallets w SET held_nano = w.held_nano + u.amount
        FROM (SELECT id, count(*) * ${holdNano} AS amount FROM unnest($1::integer[]) AS id GROUP BY id ORDER BY id) AS u
        WHERE w.id = u.id`,
      values: [wallets],
    })
    return wallets.map(() => true)
  },
})

const settles = new Batcher<number, true>({
  ...batching,
  send: async (wallets) => {
    const nowMs = Date.now()
    const record = JSON.stringify({ model: 'gpt-x', input: 212, output: 47, status: 200 })
    await settling.query({
      name: 'settle',
      text: `WITH kept AS (
          INSERT INTO generations (id, wallet_id, cost_nano, record)
          SELECT u.id, u.wallet, ${chargeNano}, u.record FROM unnest($1::uuid[], $2::integer[], $3::jsonb[]) AS u (id, wallet, record)
        )
        UPDATE wallets w SET balance_nano = w.balance_nano - u.times * ${chargeNano}, held_nano = w.held_nano - u.times * ${holdNano}
        FROM (SELECT wallet, count(*) AS times FROM unnest($2::integer[]) AS wallet GROUP BY wallet ORDER BY wallet) AS u
        WHERE w.id = u.wallet`,
      values: [wallets.map(() => newUuid(nowMs)), wallets, wallets.map(() => record)],
    })
    return wallets.map(() => true)
  },
})

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const parts: Buffer[] = []
  // `Bearer 17` is the client of wallet 17.
  const wallet = Number(request.headers.authorization?.slice('Bearer '.length))
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    Promise.all([redis.incr(`rate:${wallet}`), holds.add(wallet)]).then(
      () => relay(request.url ?? '/', { wallet, body }, response),
      () => response.writeHead(503).end(),
    )
  })
})
await Promise.all([holding.query('SELECT 1'), settling.query('SELECT 1'), redis.ping()])
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4_096 })

function relay(path: string, { wallet, body }: { wallet: number; body: Buffer }, response: ServerResponse): void {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-mock' }
  const options = { path, method: 'POST', headers, body, headersTimeout: 60_000, bodyTimeout: 60_000 } as const
  pool.dispatch(options, answerWith(response, wallet))
}

function answerWith(response: ServerResponse, wallet: number): Dispatcher.DispatchHandler {
  // The last chunk waits for the charge.
  let last: Buffer | null = null
  return {
    onRequestStart(controller) {
      response.on('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the client left'))
      })
      response.on('drain', () => controller.resume())
    },
    onResponseStart(_controller, statusCode, headers) {
      for (const name of hopByHop) delete headers[name]
      response.writeHead(statusCode, headers)
    },
    onResponseData(controller, chunk) {
      if (last !== null && !response.write(last)) controller.pause()
      last = chunk
    },
    onResponseEnd() {
      settles.add(wallet).then(
        () => response.end(last),
        (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
      )
    },
    onResponseError(_controller, error) {
      if (response.headersSent) response.destroy(error)
      else response.writeHead(502).end()
    },
  }
}
