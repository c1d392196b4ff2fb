import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect } from 'vitest'
import { wireOutbound } from '#bin/wiring/outbound.ts'
import { realOutside } from '#bin/wiring/outside.ts'
import { wireEvents } from '#bin/wiring/events-worker.ts'
import { watchParts } from '#bin/wiring/wire-worker.ts'
import { workerOutbound } from '#config/outbound-limits.ts'
import { parseConfig } from '#config/parse-config.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { eventParts } from '#jobs/events/send-events.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { runParts } from '#test/setup/run-parts.ts'
import { type AnswerCall, startWebhookReceiver, type WebhookReceiver } from '#test/videos/webhook-receiver.ts'
import { attributesOf, readSpans } from './otlp-form.ts'
import { createUsageWorld, type SettledRequest, type UsageWorld } from './usage-world.ts'

/** Settled requests, sinks with real sockets and files, and workers that export to them. */
export interface EventsWorld extends UsageWorld {
  readonly folder: string
  receive(answer?: AnswerCall): Promise<WebhookReceiver>
  /** Settles this many in one transaction, rolls them up, and returns their public ids. */
  settleSome(count: number, others?: Partial<SettledRequest>): Promise<string[]>
  start(settings: Record<string, string>): EventsWorker
  sinkRow(name: string): Promise<SinkRow | undefined>
  /** Ends all pauses. */
  makeDue(): Promise<void>
  close(): Promise<void>
}

export interface EventsWorker {
  readonly logLines: readonly JsonObject[]
  stop(): Promise<void>
}

interface SinkRow {
  sent_below: string
  last_error: string | null
  failing_since: Date | null
  pause_ms: number | null
}

export async function createEventsWorld(): Promise<EventsWorld> {
  const usage = await createUsageWorld()
  const { pool, url } = usage.database
  const folder = await mkdtemp(join(tmpdir(), 'weir-events-'))
  const receivers: WebhookReceiver[] = []
  const workers: EventsWorker[] = []
  const walletId = await usage.newWallet()
  return {
    ...usage,
    folder,
    receive: async (answer) => {
      const receiver = await startWebhookReceiver(answer)
      receivers.push(receiver)
      return receiver
    },
    settleSome: async (count, others = {}) => {
      const nowMs = Date.now()
      const ids = Array.from({ length: count }, () => newUuid(nowMs))
      await usage.settle(ids.map((id) => ({ id, walletId, keyId: walletId, startedAtMs: nowMs, ...others })))
      await usage.rollUpAll()
      return ids.map(publicGenerationId)
    },
    start: (settings) => {
      const worker = startWorker({ WEIR_POSTGRES_URL: url, ...settings })
      workers.push(worker)
      return worker
    },
    sinkRow: async (name) => {
      const { rows } = await pool.query<SinkRow>(
        `SELECT sent_below, last_error, failing_since,
          (extract(epoch FROM due_at - clock_timestamp()) * 1000)::float8 AS pause_ms FROM event_sinks WHERE name = $1`,
        [name],
      )
      return rows[0]
    },
    makeDue: async () => {
      await pool.query('UPDATE event_sinks SET due_at = clock_timestamp()')
    },
    close: async () => {
      for (const worker of workers) await worker.stop()
      for (const receiver of receivers) await receiver.close()
      await usage.database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function startWorker(settings: Record<string, string>): EventsWorker {
  const config = parseConfig({ env: { WEIR_SECRET: testSecret, WEIR_EVENTS_POLL_MS: '20', ...settings } })
  const logLines: JsonObject[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => logLines.push(parseJsonObject(line) ?? {}) })
  const { deps, close } = wireEvents({
    config,
    logger,
    lookup: wireOutbound({ config, outside: realOutside, limits: workerOutbound(config) }).lookup,
  })
  const watch = watchParts(logger)
  return { logLines, stop: runParts(eventParts(deps), { close, watch }).stop }
}

/** The ids in all received batches, in order of arrival. */
export function spanIds({ calls }: WebhookReceiver): string[] {
  return calls.flatMap(({ body }) => readSpans(body).map((span) => String(attributesOf(span)['gen_ai.response.id'])))
}

export function lineIds({ calls }: WebhookReceiver): string[] {
  return idsIn(calls.map(({ body }) => body).join(''))
}

export async function fileIds(path: string): Promise<string[]> {
  return idsIn(await readFile(path, 'utf8').catch(() => ''))
}

/** Rejects anything but whole lines of JSON. */
function idsIn(text: string): string[] {
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => String((JSON.parse(line) as JsonObject)['id']))
}
