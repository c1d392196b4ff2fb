import { bodyLimits } from '#domain/inference/body-limits.ts'
import { scanJson } from '#lib/json-scan.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { type JsonObject, type JsonValue, parseJsonObject, stringAt } from '#lib/json.ts'
import { readItem, readResponse } from './response-fields.ts'
import { readSession, type SessionWishes } from './session-fields.ts'

/** A client's event as the upstream may get it. Everything else is rejected, so nothing that costs money is unknown. */
export type ClientEvent =
  | { readonly kind: 'session'; readonly event: JsonObject; readonly wishes: SessionWishes }
  | { readonly kind: 'item'; readonly event: JsonObject }
  | { readonly kind: 'audio'; readonly event: JsonObject; readonly byteCount: number }
  | { readonly kind: 'response'; readonly eventId: string | null; readonly response: JsonObject }
  | { readonly kind: 'plain'; readonly event: JsonObject }

/** The event's own id, for errors about it. */
export function eventIdOf(event: JsonObject): string | null {
  return stringAt(event, 'event_id') ?? null
}

export function parseEvent(text: string): JsonObject {
  // What is too deep or too large to be written again must not be read.
  const verdict = scanJson(Buffer.from(text), { ...bodyLimits, forbidsProto: true })
  const event = verdict.allowed ? parseJsonObject(text) : undefined
  if (event === undefined) throw malformed('An event must be a JSON object.')
  return event
}

export function readClientEvent(event: JsonObject): ClientEvent {
  switch (event.type) {
    case 'session.update': {
      const { session, wishes } = readSession(event.session)
      return { kind: 'session', event: { ...headOf(event), session }, wishes }
    }
    case 'conversation.item.create':
      return {
        kind: 'item',
        event: { ...headOf(event), ...membersOf(event, ['previous_item_id']), item: readItem(event.item) },
      }
    case 'input_audio_buffer.append': {
      const audio = audioOf(event.audio)
      return { kind: 'audio', event: { ...headOf(event), audio }, byteCount: bytesIn(audio) }
    }
    case 'response.create':
      return { kind: 'response', eventId: eventIdOf(event), response: readResponse(event.response) }
    case 'input_audio_buffer.commit':
    case 'input_audio_buffer.clear':
      return { kind: 'plain', event: headOf(event) }
    case 'conversation.item.retrieve':
    case 'conversation.item.delete':
      return { kind: 'plain', event: { ...headOf(event), ...membersOf(event, ['item_id']) } }
    case 'conversation.item.truncate':
      return {
        kind: 'plain',
        event: { ...headOf(event), ...membersOf(event, ['item_id', 'content_index', 'audio_end_ms']) },
      }
    case 'response.cancel':
      return { kind: 'plain', event: { ...headOf(event), ...membersOf(event, ['response_id']) } }
    default:
      throw new GatewayError('unsupportedParam', {
        message: `Events of the type ${JSON.stringify(event.type ?? null).slice(0, 100)} are not supported.`,
      })
  }
}

/** The upstream names the event by its id in an error. */
function headOf({ type, event_id: id }: JsonObject): JsonObject {
  if (id === undefined || id === null) return { type }
  if (typeof id !== 'string' || id.length > 512)
    throw malformed('`event_id` must be a string of at most 512 characters.')
  if (id.startsWith(ownIdPrefix)) throw malformed(`\`event_id\` must not begin with "${ownIdPrefix}".`)
  return { type, event_id: id }
}

/** Ids of events that the gateway sends itself. */
export const ownIdPrefix = 'weir_'

function membersOf(event: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (event[name] === undefined ? [] : [[name, event[name]]])))
}

function audioOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  throw malformed('`audio` must be a string of base64.')
}

function bytesIn(base64: string): number {
  return Math.ceil((base64.length * 3) / 4)
}
