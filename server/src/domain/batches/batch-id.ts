import type { Uuid } from '#lib/uuid.ts'
import type { BatchApi } from './batch.ts'

const prefixes = { openai: 'batch_', messages: 'msgbatch_' } as const satisfies Record<BatchApi, string>
const form = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

export function publicBatchId(api: BatchApi, id: Uuid): string {
  return prefixes[api] + id.replaceAll('-', '')
}

/** Returns undefined for an id that is invalid, or of the other API. */
export function parseBatchId(api: BatchApi, text: string): Uuid | undefined {
  const prefix = prefixes[api]
  const [, ...parts] = form.exec(text.startsWith(prefix) ? text.slice(prefix.length) : '') ?? []
  return parts.length === 0 ? undefined : parts.join('-')
}
