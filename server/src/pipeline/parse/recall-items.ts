import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuseManyMessages } from '#dialects/conversation-limits.ts'
import type { ItemReference, ReferenceAccess } from '#dialects/dialect.ts'
import { sendItemsAdvice } from '#dialects/send-items-advice.ts'
import type { Principal } from '#domain/access/principal.ts'
import { bodyLimits } from '#domain/inference/body-limits.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { errorText } from '#lib/error-text.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { parseInTurns } from '#lib/json-in-turns.ts'
import { scanJson } from '#lib/json-scan.ts'
import type { KeptItems } from '#ports/kept-items.ts'
import type { Arrival } from '../types.ts'

export type RecallStage = (arrival: Arrival, principal: Principal) => Promise<Arrival>

/** Whether a request refers to items instead of sending them. */
export function refersToItems(arrival: Arrival): boolean {
  const references = referencesOf(arrival)
  return references !== undefined && references.find(arrival.body).length > 0
}

interface RecallDeps {
  readonly items: KeptItems
  readonly keptMs: number
  /** Maximum size of a body together with its items. */
  readonly bytesMax: number
  readonly nowMs: () => number
}

/**
 * Replaces the references in a body with their items, so that all later stages, including the hold, see the request as
 * if the client had sent the items. They count against the body limits.
 */
export function createRecall({ items, keptMs, bytesMax, nowMs }: RecallDeps) {
  const recall: RecallStage = async (arrival, { walletId }) => {
    const access = referencesOf(arrival)
    if (access === undefined) return arrival
    const references = access.find(arrival.body)
    refuseManyMessages('input', references.length)
    const ids = [...new Set(references.map(({ id }) => id))]
    const limits = { nowMs: nowMs(), bytesMax }
    const found = (await items.find(walletId, ids, limits).catch(refuseUnread)) ?? refuseLarge(bytesMax)
    const byId = new Map(ids.map((id, position) => [id, found[position] ?? null]))
    const texts = references.map((reference) => byId.get(reference.id) ?? refuseMissing(reference, keptMs))
    const recalled = await parseItems(texts, { bodyBytes: arrival.bodyBytes, bytesMax })
    return { ...arrival, body: access.replace(arrival.body, recalled) }
  }
  return recall
}

function referencesOf({ dialect }: Arrival): ReferenceAccess | undefined {
  return dialect.family === 'conversation' ? dialect.references : undefined
}

async function parseItems(
  texts: readonly string[],
  { bodyBytes, bytesMax }: { bodyBytes: number; bytesMax: number },
): Promise<JsonObject[]> {
  // Counted before they are joined: one small item may be referenced thousands of times.
  const byteCount = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, bodyBytes)
  if (byteCount > bytesMax) refuseLarge(bytesMax)
  const bytes = Buffer.from(`[${texts.join(',')}]`)
  // Inside the body, the items are one level deeper than when they are scanned alone.
  const verdict = scanJson(bytes, { ...bodyLimits, depthMax: bodyLimits.depthMax - 1, forbidsProto: true })
  if (!verdict.allowed) throw malformed('With the items that it refers to, the body exceeds the limits of a body.')
  const parsed = await parseInTurns(bytes, verdict.longTexts, nextTurn)
  return Array.isArray(parsed) ? parsed.filter(isJsonObject) : []
}

function refuseLarge(bytesMax: number): never {
  throw new GatewayError('bodyTooLarge', {
    message: `The body with the items that it refers to is larger than ${Math.floor(bytesMax / 1_048_576)} MB. Shorten the conversation.`,
  })
}

/** The error is the same for another wallet's item, an expired item and an unknown id. */
function refuseMissing({ place }: ItemReference, keptMs: number): never {
  throw new GatewayError('invalidPrompt', {
    message: `${place} refers to an item that is not kept. Items are kept for ${durationText(keptMs)} after the last request that used them. ${sendItemsAdvice}`,
  })
}

function refuseUnread(cause: unknown): never {
  throw new GatewayError('storeUnavailable', {
    message: `The items that the request refers to can't be read at the moment. Retry shortly. ${sendItemsAdvice}`,
    inside: `kept items: ${errorText(cause)}`,
    retryAfterS: 1,
    cause,
  })
}

function durationText(ms: number): string {
  const [size, unit] = units.find(([length]) => ms % length === 0) ?? [1, 'millisecond']
  const count = ms / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const units = [
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const
