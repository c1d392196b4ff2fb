import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AskedStorage, StorageAccess } from '#dialects/dialect.ts'
import type { Principal } from '#domain/access/principal.ts'
import { bodyLimits } from '#domain/inference/body-limits.ts'
import { parseResponseId } from '#domain/responses/response-id.ts'
import { responseOwner } from '#domain/responses/response-owner.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { errorText } from '#lib/error-text.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#lib/json.ts'
import { parseInTurns } from '#lib/json-in-turns.ts'
import { scanJson } from '#lib/json-scan.ts'
import type { StoredResponses } from '#ports/stored-responses.ts'
import { storageAccess } from '../stored-input.ts'
import type { Arrival } from '../types.ts'

export interface ResumeStage {
  /** What a request asks of stored responses; null if nothing. */
  asked(arrival: Arrival): AskedStorage | null
  resume(arrival: Arrival, principal: Principal, asked: AskedStorage): Promise<Arrival>
}

interface ResumeDeps {
  readonly responses: Pick<StoredResponses, 'find' | 'read'>
  /** Whether responses are stored unless the request says otherwise. */
  readonly storesByDefault: boolean
  /** Maximum size of a body together with the earlier conversation. */
  readonly bytesMax: number
}

interface Earlier {
  readonly input: JsonValue[]
  readonly response: JsonObject
  readonly byteCount: number
}

/**
 * Puts the conversation of an earlier response before the input, so that all later stages, including the hold, see the
 * request as if the client had sent all of it. It counts against the body limits.
 */
export function createResume({ responses, storesByDefault, bytesMax }: ResumeDeps): ResumeStage {
  return {
    asked: (arrival) => storageAccess(arrival)?.asked(arrival.body, storesByDefault) ?? null,
    resume: async (arrival, principal, asked) => {
      const access = storageAccess(arrival)
      if (access === undefined) return arrival
      const { previousId } = asked
      const bytesLeft = bytesMax - arrival.bodyBytes
      const earlier = previousId === null ? null : await find(previousId, { access, principal, bytesLeft })
      const bodyBytes = arrival.bodyBytes + (earlier?.byteCount ?? 0)
      return { ...arrival, storage: asked, body: access.continued(arrival.body, earlier), bodyBytes }
    },
  }

  async function find(
    publicId: string,
    { access, principal, bytesLeft }: { access: StorageAccess; principal: Principal; bytesLeft: number },
  ): Promise<Earlier> {
    const parts = await readParts(publicId, principal).catch(refuseUnread)
    if (parts === null) return refuseMissing(publicId)
    const bytes = Buffer.concat([
      Buffer.from('{"input":'),
      parts.input,
      Buffer.from(',"response":'),
      parts.response,
      close,
    ])
    if (bytes.length > bytesLeft) return refuseLarge(bytesMax)
    // The output items are one level deeper than in a body.
    const limits = { ...bodyLimits, depthMax: bodyLimits.depthMax + 1, forbidsProto: true }
    const verdict = scanJson(bytes, limits)
    if (!verdict.allowed) throw malformed('The conversation of the previous response exceeds the limits of a body.')
    const parsed = await parseInTurns(bytes, verdict.longTexts, nextTurn)
    const { input, response } = isJsonObject(parsed)
      ? { input: parsed.input, response: objectAt(parsed, 'response') }
      : {}
    if (!Array.isArray(input) || response === undefined || !access.isComplete(response)) return refuseMissing(publicId)
    return { input, response, byteCount: bytes.length }
  }

  async function readParts(
    publicId: string,
    principal: Principal,
  ): Promise<Record<'input' | 'response', Buffer> | null> {
    const id = parseResponseId(publicId)
    const found = id === null ? null : await responses.find(responseOwner(principal), id)
    if (found?.state !== 'ended') return null
    const [input, response] = await Promise.all([responses.read(found, 'input'), responses.read(found, 'response')])
    return input === null || response === null ? null : { input, response }
  }
}

const close = Buffer.from('}')

/** The error is the same for another person's response, an expired one and an unknown id. */
function refuseMissing(publicId: string): never {
  throw new GatewayError('previousResponseNotFound', {
    message: `Previous response with id '${publicId.slice(0, 100)}' not found. It may have expired, failed, or still be in progress.`,
  })
}

function refuseLarge(bytesMax: number): never {
  throw new GatewayError('bodyTooLarge', {
    message: `The body with the conversation of the previous response is larger than ${Math.floor(bytesMax / 1_048_576)} MB. Shorten the conversation.`,
  })
}

function refuseUnread(cause: unknown): never {
  throw new GatewayError('storeUnavailable', {
    message: "The previous response can't be read at the moment. Retry shortly, or send the full history in `input`.",
    inside: `stored responses: ${errorText(cause)}`,
    retryAfterS: 1,
    cause,
  })
}
