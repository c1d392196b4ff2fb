import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { errorTypeOf } from './error-json.ts'

/** One event of a Messages stream. Clients identify an event by its name, which is always its type. */
export function eventFrame(event: JsonObject & { type: string }): string {
  return namedFrame(event.type, JSON.stringify(event))
}

/** The same for an event that is already JSON text in one line. */
export function namedFrame(type: string, json: string): string {
  return `event: ${type}\ndata: ${json}\n\n`
}

/** Clients skip pings anywhere, even before the message has started. */
export const pingFrame = eventFrame({ type: 'ping' })

/** A failure after the stream began: the status is already sent, so the error is sent as an event. */
export function errorFrame(error: GatewayError): string {
  return eventFrame({ type: 'error', error: { type: errorTypeOf(error), message: error.message } })
}
