import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseJsonObject } from '#lib/json.ts'
import { createPostgresEventCursors } from '#store/postgres/events/postgres-event-cursors.ts'
import { runWeir } from '#test/audit/run-weir.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { eventually } from '#test/videos/webhook-deliveries.ts'
import { createEventsWorld, type EventsWorker, type EventsWorld, fileIds, lineIds, spanIds } from './events-world.ts'

describe('a sink of events', () => {
  let world: EventsWorld
  let path: string
  let files = 0
  const workers: EventsWorker[] = []

  /** A file sink runs next to the tested sink, and must be unaffected. */
  async function start(settings: Record<string, string>, sink: string): Promise<EventsWorker> {
    const worker = world.start({ WEIR_EVENTS_NDJSON_FILE: path, ...settings })
    workers.push(worker)
    await eventually(async () => (await world.sinkRow(sink)) !== undefined, true)
    await eventually(async () => (await world.sinkRow('ndjson-file')) !== undefined, true)
    return worker
  }

  beforeAll(async () => {
    world = await createEventsWorld()
  })
  beforeEach(async () => {
    path = join(world.folder, `events-${(files += 1)}.ndjson`)
    await world.database.pool.query('DELETE FROM event_sinks')
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    for (const worker of workers.splice(0)) await worker.stop()
  })
  afterAll(() => world.close())

  it('that is busy for a while gets everything later, is asked less and less often, and holds nobody up', async () => {
    let status = 503
    const collector = await world.receive((_call, response) => void response.writeHead(status).end())
    const worker = await start({ WEIR_EVENTS_OTLP_URL: collector.url }, 'otlp')
    const ids = await world.settleSome(3)
    await eventually(() => fileIds(path).then((all) => all.length), 3)
    await eventually(async () => (await world.sinkRow('otlp'))?.last_error, 'returned 503')
    for (const failingForSeconds of [60, 10_000]) {
      const tries = pausesOf(worker).length
      await world.database.pool.query(
        `UPDATE event_sinks SET failing_since = clock_timestamp() - $1 * interval '1 second', due_at = NULL WHERE name = 'otlp'`,
        [failingForSeconds],
      )
      await eventually(() => pausesOf(worker).length > tries, true)
    }
    const [first = 0, ...later] = pausesOf(worker)
    expect(first).toBeGreaterThanOrEqual(5_000)
    expect(first).toBeLessThan(60_000)
    expect(later.find((pauseMs) => pauseMs >= 60_000)).toBeLessThan(300_000)
    expect(later.at(-1)).toBe(300_000)
    expect((await world.sinkRow('otlp'))?.pause_ms).toBeGreaterThan(60_000)
    const more = await world.settleSome(2)
    await eventually(() => fileIds(path).then((all) => all.length), 5)
    const tried = collector.calls.length
    status = 200
    await world.makeDue()
    await eventually(async () => (await world.sinkRow('otlp'))?.last_error, null)
    const taken = spanIds({ ...collector, calls: collector.calls.slice(tried) })
    expect(taken.toSorted()).toEqual([...ids, ...more].toSorted())
    expect((await world.sinkRow('otlp'))?.failing_since).toBeNull()
  })

  it('is left alone for as long as it says', async () => {
    const collector = await world.receive(
      (_call, response) => void response.writeHead(429, { 'retry-after': '1800' }).end(),
    )
    await start({ WEIR_EVENTS_OTLP_URL: collector.url }, 'otlp')
    await world.settleSome(1)
    await eventually(async () => ((await world.sinkRow('otlp'))?.pause_ms ?? 0) > 1_700_000, true)
  })

  it('that hangs keeps neither other sinks nor the rollup waiting', async () => {
    const answered = Promise.withResolvers<void>()
    const receiver = await world.receive(async (_call, response) => {
      await answered.promise
      response.end()
    })
    await start({ WEIR_EVENTS_NDJSON_URL: receiver.url, WEIR_EVENTS_TIMEOUT_MS: '600000' }, 'ndjson-http')
    const ids = await world.settleSome(1)
    await eventually(() => receiver.calls.length, 1)
    // While the sink hangs, requests are rolled up and written to the file.
    const more = await world.settleSome(2)
    await eventually(() => fileIds(path).then((all) => all.length), 3)
    expect(receiver.calls).toHaveLength(1)
    expect((await world.sinkRow('ndjson-http'))?.last_error).toBeNull()
    answered.resolve()
    // Requests settled together may come in any order.
    await eventually(() => lineIds(receiver).toSorted(), [...ids, ...more].toSorted())
  })

  it('that hangs is given up after the timeout, and gets everything later', async () => {
    let hangs = true
    const receiver = await world.receive((_call, response) => {
      if (!hangs) response.end()
    })
    await start({ WEIR_EVENTS_NDJSON_URL: receiver.url, WEIR_EVENTS_TIMEOUT_MS: '1000' }, 'ndjson-http')
    const ids = await world.settleSome(1)
    await eventually(async () => (await world.sinkRow('ndjson-http'))?.last_error, 'timed out after 1000 ms')
    hangs = false
    await world.makeDue()
    await eventually(async () => (await world.sinkRow('ndjson-http'))?.last_error, null)
    expect(new Set(lineIds(receiver))).toEqual(new Set(ids))
  })

  it('that has said 200 has its events, however its answer goes on', async () => {
    const receiver = await world.receive((_call, response) => {
      response.writeHead(200)
      response.write('x'.repeat(200_000))
    })
    await start({ WEIR_EVENTS_NDJSON_URL: receiver.url }, 'ndjson-http')
    const first = await world.settleSome(1)
    await eventually(
      async () =>
        (await world.sinkRow('ndjson-file'))?.sent_below === (await world.sinkRow('ndjson-http'))?.sent_below &&
        lineIds(receiver).length === 1,
      true,
    )
    const second = await world.settleSome(1)
    await eventually(() => lineIds(receiver), [...first, ...second])
  })

  it('that refuses is an error in the log, tried again slowly, and never passed over', async () => {
    let status = 400
    const collector = await world.receive((call, response) => {
      const message = `no tenant for ${call.headers.authorization}`
      response.writeHead(status, { location: `${world.folder}` }).end(JSON.stringify({ message }))
    })
    const settings = {
      WEIR_EVENTS_OTLP_URL: collector.url,
      WEIR_EVENTS_OTLP_HEADERS: 'authorization: Bearer canary-73b1',
    }
    const worker = await start(settings, 'otlp')
    const ids = await world.settleSome(2)
    await eventually(async () => (await world.sinkRow('otlp'))?.last_error, 'returned 400: no tenant for …')
    await eventually(() => pausesOf(worker)[0], 300_000)
    expect(worker.logLines).toContainEqual(expect.objectContaining({ level: 50, sink: 'otlp' }))
    expect(JSON.stringify(worker.logLines)).not.toContain('canary-73b1')
    for (const next of [401, 413, 302]) {
      status = next
      await world.makeDue()
      await eventually(async () => (await world.sinkRow('otlp'))?.last_error?.slice(0, 12), `returned ${next}`)
    }
    status = 200
    const tried = collector.calls.length
    await world.makeDue()
    await eventually(async () => (await world.sinkRow('otlp'))?.last_error, null)
    expect(spanIds({ ...collector, calls: collector.calls.slice(tried) }).toSorted()).toEqual(ids.toSorted())
  })

  it('that takes a part is not sent the rest again, which the log says', async () => {
    const partialSuccess = { rejectedSpans: '1', errorMessage: 'too old' }
    const collector = await world.receive((_call, response) => void response.end(JSON.stringify({ partialSuccess })))
    const worker = await start({ WEIR_EVENTS_OTLP_URL: collector.url }, 'otlp')
    await world.settleSome(2)
    const later = await world.settleSome(1)
    await eventually(() => spanIds(collector).slice(2), later)
    // The response to a batch is logged after the next batch may have arrived.
    const remarks = () => worker.logLines.map((line) => line['remark'])
    await expect.poll(remarks).toContain('1 spans were rejected: too old')
  })

  it('is served by one of many workers at a time, so nothing is sent twice while nobody dies', async () => {
    let atOnce = 0
    let atOnceMax = 0
    const cursors = createPostgresEventCursors(world.database.pool)
    const turns: unknown[] = []
    const receiver = await world.receive(async (_call, response) => {
      atOnceMax = Math.max(atOnceMax, (atOnce += 1))
      // While one worker is sending, no other gets a turn.
      turns.push(await cursors.withTurn('ndjson-http', async () => 'a turn'))
      atOnce -= 1
      response.end()
    })
    const settings = { WEIR_EVENTS_NDJSON_URL: receiver.url, WEIR_EVENTS_BATCH: '2' }
    for (let count = 0; count < 3; count += 1) await start(settings, 'ndjson-http')
    const ids: string[] = []
    for (let round = 0; round < 12; round += 1) ids.push(...(await world.settleSome(2)))
    await eventually(() => new Set(lineIds(receiver)).size, ids.length)
    expect(lineIds(receiver).toSorted()).toEqual(ids.toSorted())
    await eventually(async () => (await fileIds(path)).toSorted(), ids.toSorted())
    expect(atOnceMax).toBe(1)
    expect(new Set(turns)).toEqual(new Set([null]))
  })

  it('gets its events again when the database goes away before it is noted that it has them', async () => {
    let cut: (() => Promise<unknown>) | null = async () =>
      world.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'weir events' AND datname = current_database()`,
      )
    const receiver = await world.receive(async (_call, response) => {
      await cut?.()
      cut = null
      response.end()
    })
    const worker = await start({ WEIR_EVENTS_NDJSON_URL: receiver.url }, 'ndjson-http')
    const [id = ''] = await world.settleSome(1)
    await eventually(() => lineIds(receiver), [id, id])
    expect(worker.logLines).toContainEqual(expect.objectContaining({ msg: 'worker task "events-ndjson-http" failed' }))
  })

  it('is listed with how far it is behind and what went wrong', async () => {
    vi.stubEnv('WEIR_SECRET', testSecret)
    vi.stubEnv('WEIR_POSTGRES_URL', world.database.url)
    const receiver = await world.receive((_call, response) => void response.writeHead(500).end())
    await start({ WEIR_EVENTS_NDJSON_URL: receiver.url }, 'ndjson-http')
    await world.settleSome(3)
    await eventually(async () => (await world.sinkRow('ndjson-http'))?.last_error, 'returned 500')
    await eventually(() => fileIds(path).then((all) => all.length), 3)
    const { code, out } = await runWeir('events', 'list')
    expect(code).toBe(0)
    expect(out).toMatch(/^ndjson-file +0 +– .*\nndjson-http +3 +\d+ s +never .* returned 500$/m)
    const { out: json } = await runWeir('events', 'list', '--json')
    expect(parseJsonObject(`{"sinks":${json}}`)?.['sinks']).toEqual([
      expect.objectContaining({ name: 'ndjson-file', waiting: 0, last_error: null, waiting_since: null }),
      expect.objectContaining({ name: 'ndjson-http', waiting: 3, last_error: 'returned 500' }),
    ])
  })
})

/** The pauses of the sink after each failed try. */
const pausesOf = ({ logLines }: EventsWorker): number[] =>
  logLines
    .filter(({ sink }) => sink === 'otlp')
    .flatMap(({ againInMs }) => (againInMs === undefined ? [] : [Number(againInMs)]))
