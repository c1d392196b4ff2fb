import { expect } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { Outside } from '#bin/wiring/outside.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { jsonLines } from './json-lines.ts'

/** A gateway that runs batches, where a line costs six tenths of a cent. */
export interface BatchWorld extends KeyWorld {
  upload(as: { key: string }, content: string, options?: UploadOptions): Promise<Reply>
  /** Creates a batch of these lines and returns its id. */
  start(as: { key: string }, lines: readonly unknown[], body?: JsonObject): Promise<string>
  batch(as: { key: string }, id: string): Promise<JsonObject>
  /** Waits until the batch has ended. */
  ended(as: { key: string }, id: string): Promise<JsonObject>
  /** The objects of a result file. */
  results(as: { key: string }, fileId: unknown): Promise<JsonObject[]>
  chargesOf(client: Pick<TestClient, 'walletId'>): Promise<string[]>
  /** The upstream answers at once again. */
  reset(): void
}

interface UploadOptions {
  readonly fields?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export async function startBatchWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<BatchWorld> {
  const world = await startKeyWorld(outside, { WEIR_BATCHES_LOOK_EVERY_MS: '20', ...environment })
  const upload: BatchWorld['upload'] = (as, content, { fields = { purpose: 'batch' }, headers = {} } = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([content]), 'lines.jsonl')
    return world.as(as).post('/v1/files', form, { headers })
  }
  const batch: BatchWorld['batch'] = async (as, id) => (await world.as(as).get(`/v1/batches/${id}`)).json
  return {
    ...world,
    upload,
    batch,
    reset: () => {
      world.upstream.forget()
      world.upstream.play(
        vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: { prompt: 0, completion: 500 } }),
      )
    },
    start: async (as, lines, body = {}) => {
      const file = await upload(as, lines.map((line) => `${textOf(line)}\n`).join(''))
      if (file.status !== 200) throw new Error(file.text)
      const terms = { input_file_id: file.json.id, endpoint: '/v1/chat/completions', completion_window: '24h', ...body }
      const created = await world.as(as).post('/v1/batches', terms)
      if (created.status !== 200) throw new Error(created.text)
      return String(created.json.id)
    },
    ended: async (as, id) => {
      await expect.poll(async () => over.has((await batch(as, id)).status), patience).toBe(true)
      return batch(as, id)
    },
    results: async (as, fileId) => {
      const { status, text } = await world.as(as).get(`/v1/files/${String(fileId)}/content`)
      if (status !== 200) throw new Error(text)
      return jsonLines(text)
    },
    chargesOf: async ({ walletId }) => {
      const text = `SELECT amount_nano FROM ledger_transfers WHERE wallet_id = $1 AND kind = 'charge' ORDER BY id`
      return (await world.pool.query<{ amount_nano: string }>(text, [walletId])).rows.map((row) => row.amount_nano)
    },
  }
}

const over = new Set<unknown>(['completed', 'failed', 'expired', 'cancelled'])

export const patience = { timeout: 120_000, interval: 20 }

/** The charge of a line, in nano-USD. */
export const lineNano = '6000000'

export function chatLine(customId: string, body: JsonObject = {}): JsonObject {
  const request = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500, ...body }
  return { custom_id: customId, method: 'POST', url: '/v1/chat/completions', body: request }
}

function textOf(line: unknown): string {
  return typeof line === 'string' ? line : JSON.stringify(line)
}
