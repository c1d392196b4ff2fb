import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import { publicRequestId } from '#domain/ledger/request-id.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { publicText } from '#lib/public-text.ts'
import type { Uuid } from '#lib/uuid.ts'

/** An error of the gateway as an event. */
export function errorEvent(error: GatewayError, { id, eventId }: { id: Uuid; eventId: string | null }): string {
  const { type, code } = error.row
  const { message } = error
  return JSON.stringify({
    type: 'error',
    event_id: publicRequestId(id),
    error: { type, code: String(code), message, param: null, event_id: eventId },
  })
}

/** An upstream's error, without secrets of the operator's account. */
export function upstreamErrorEvent(event: JsonObject, secrets: readonly string[], eventId: string | null): string {
  const error = objectAt(event, 'error')
  const message = publicText(stringAt(error, 'message') ?? 'The upstream reported an error.', secrets)
  return JSON.stringify({
    type: 'error',
    event_id: event.event_id,
    error: { type: error.type, code: error.code ?? null, message, param: error.param ?? null, event_id: eventId },
  })
}

/** `response.done` with the id of its receipt and its cost. */
export function doneEvent(event: JsonObject, { generationId, cost }: { generationId: string; cost: NanoUsd }): string {
  const response = objectAt(event, 'response')
  const usage = objectAt(response, 'usage')
  return JSON.stringify({
    ...event,
    generation_id: generationId,
    response: { ...response, usage: { ...usage, cost: usdJson(cost) } },
  })
}
