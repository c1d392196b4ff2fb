import { hash } from 'node:crypto'
import { userOf } from '#domain/access/client.ts'
import { actorOf } from '#domain/audit/audit-entry.ts'
import { parseIdempotencyKey } from '#domain/ledger/idempotency-key.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { fileDigest } from '#pipeline/replay/file-digest.ts'
import type { WriteAnswer, WriteAnswers } from '#ports/write-answers.ts'
import { clientOf, type Endpoint, type EndpointReply, type EndpointRequest } from './endpoint.ts'

export interface ReplayWriteDeps {
  readonly writeAnswers: WriteAnswers
  readonly wait: (ms: number) => Promise<void>
  readonly onUnkept: (error: unknown) => void
}

/** The idempotency key of a request. Endpoints that move money store their keys themselves, with the transfer. */
export function writeKeyOf(
  { method, takesIdempotencyKey }: Endpoint,
  { headers, client }: Pick<EndpointRequest, 'headers' | 'client'>,
): string | null {
  const header = headers['idempotency-key']
  if (header === undefined || method === 'GET' || takesIdempotencyKey === true || client === null) return null
  return parseIdempotencyKey(String(header), 255)
}

/**
 * Runs a request with a new idempotency key, and replays the answer to a request with a known key. A request that
 * failed runs again. A request whose gateway died may have taken effect, so it never runs again.
 */
export async function replayWrite(
  deps: ReplayWriteDeps,
  endpoint: Endpoint,
  request: EndpointRequest,
  key: string,
): Promise<EndpointReply> {
  const client = clientOf(request)
  const { params, query, body, files } = request
  const { kind, id } = actorOf(client)
  const scope = hash('sha256', JSON.stringify(['write', kind, id, key]), 'buffer')
  const digests = await Promise.all(files.map(fileDigest))
  const asked = JSON.stringify([endpoint.name, params, query, body, ...digests])
  const claim = { scope, fingerprint: hash('sha256', asked, 'buffer'), userId: userOf(client) }
  for (;;) {
    const claimed = await deps.writeAnswers.claim(claim)
    switch (claimed.kind) {
      case 'new':
        return act(deps, endpoint, request, scope)
      case 'running':
        await deps.wait(againMs)
        continue
      case 'answered':
        return replayed(claimed.status, claimed.answer)
      case 'mismatched':
        throw new GatewayError('idempotencyKeyReused', {
          message: 'This Idempotency-Key was used for another request. Send a new key for each new request.',
        })
      case 'abandoned':
        throw new GatewayError('answerNotStored', {
          message:
            'The gateway stopped while it ran this request, so the request may have taken effect. Check the result before you retry with a new Idempotency-Key.',
        })
      case 'not_stored':
        throw new GatewayError('answerNotStored', {
          message:
            'This request took effect, but its answer could not be stored. Read the current state instead of retrying.',
        })
    }
  }
}

// Account requests take a few milliseconds.
const againMs = 50

const answerCharactersMax = 262_144

async function act(
  { writeAnswers, onUnkept }: ReplayWriteDeps,
  endpoint: Endpoint,
  request: EndpointRequest,
  scope: Buffer,
): Promise<EndpointReply> {
  let reply: EndpointReply
  try {
    reply = await endpoint.handle(request)
  } catch (error) {
    await writeAnswers.forget(scope).catch(onUnkept)
    throw error
  }
  const { headers = {}, stream } = reply
  const body = reply.body === undefined ? null : textOf(reply.body)
  const status = reply.status ?? (body === null ? 204 : endpoint.reply.status)
  const isStored = stream === undefined && (body === null || body.length <= answerCharactersMax)
  await writeAnswers.keep(scope, status, isStored ? { headers, body } : null).catch(onUnkept)
  return body === null ? reply : { ...reply, body }
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function replayed(status: number, { headers, body }: WriteAnswer): EndpointReply {
  const reply = { status, headers: { ...headers, 'x-weir-replayed': 'true' } }
  return body === null ? reply : { ...reply, body }
}
