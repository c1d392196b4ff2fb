import { readSession, type SessionWishes } from '#dialects/realtime/session-fields.ts'
import { ownIdPrefix } from '#dialects/realtime/client-events.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import type { TextSocket } from '#lib/text-socket.ts'
import type { Timers } from '#lib/timers.ts'

/** A session as the upstream has confirmed it. */
export interface SessionState {
  readonly session: JsonObject
  readonly answersSpeech: boolean
  readonly audioBytesPerToken: number
}

export interface Prepared {
  /** The first event for the client. */
  readonly created: JsonObject
  readonly state: SessionState
}

const timeoutMs = 10_000
const setupId = `${ownIdPrefix}setup`
/** The smallest audio for 50 ms: 8 bits at 8 kHz. */
const leastAudioBytes = 400

/**
 * Waits for the upstream's session and turns off the responses that it would start by itself. Until it confirms that,
 * it gets nothing that could start one.
 */
export async function prepareSession(upstream: TextSocket, timers: Pick<Timers, 'after'>): Promise<Prepared> {
  const prepared = Promise.withResolvers<Prepared>()
  let created: JsonObject | null = null
  let wishes: SessionWishes = {}
  const fail = (inside: string): void => prepared.reject(unprepared(inside))
  const ready = (event: JsonObject, session: JsonObject): void => {
    const { answersSpeech = false, audioBytesPerToken = leastAudioBytes } = wishes
    prepared.resolve({ created: { ...event, session }, state: { session, answersSpeech, audioBytesPerToken } })
  }
  upstream.onText((text) => {
    const event = parseJsonObject(text) ?? {}
    const session = objectAt(event, 'session')
    if (event.type === 'session.created') {
      if (session.type !== 'realtime') return fail('the upstream speaks another version of the protocol')
      created = event
      const input = objectAt(objectAt(session, 'audio'), 'input')
      const detection = input.turn_detection
      const { format } = input
      const known = readSession({
        type: 'realtime',
        audio: { input: { ...(format === undefined ? {} : { format }), ...detecting(detection) } },
      })
      ;({ wishes } = known)
      if (!isJsonObject(detection)) return ready(event, session)
      upstream.send(JSON.stringify({ type: 'session.update', event_id: setupId, session: known.session }))
    } else if (event.type === 'session.updated' && created !== null) {
      ready(created, session)
    } else if (event.type === 'error') {
      fail(stringAt(objectAt(event, 'error'), 'message') ?? 'the upstream reported an error')
    }
  })
  upstream.onClosed(() => fail('the upstream closed the connection'))
  const late = timers.after(timeoutMs, () => fail('the upstream did not confirm the session'))
  try {
    return await prepared.promise
  } catch (error) {
    upstream.close(1000, '')
    throw error
  } finally {
    late.cancel()
  }
}

function detecting(detection: JsonObject[string]): JsonObject {
  if (!isJsonObject(detection)) return {}
  const { idle_timeout_ms: _timeout, ...known } = detection
  return { turn_detection: { ...known, create_response: known.create_response ?? true } }
}

function unprepared(inside: string): GatewayError {
  return new GatewayError('upstreamUnavailable', { message: 'The upstream did not start the session.', inside })
}
