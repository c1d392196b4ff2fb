import type { JsonObject } from '#lib/json.ts'
import type { ServerProcess } from './server-process.ts'

/** A request that its client repeats, as SDKs do after a lost connection or a 5xx. */
export interface Retried {
  readonly key: string
  readonly idempotencyKey?: string
  readonly body: JsonObject
  /** The gateway of each try: of a balancer that knows which ones are alive. */
  readonly gatewayFor: (attempt: number) => ServerProcess
}

// Far more than gateways die.
const triesMax = 50

/** Sends a request with the same idempotency key, if any, until an answer is complete, and returns it. */
export async function sendUntilAnswered(request: Retried): Promise<string> {
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    const text = await send(request, attempt)
    if (text !== null) return text
  }
  throw new Error(`no answer after ${triesMax} tries`)
}

/** Null if there was no complete answer. */
async function send({ key, idempotencyKey, body, gatewayFor }: Retried, attempt: number): Promise<string | null> {
  try {
    const response = await fetch(`${gatewayFor(attempt).url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status >= 500) return null
    if (response.status !== 200) throw new Refused(`${response.status} ${text}`)
    return body['stream'] === true && !text.endsWith('data: [DONE]\n\n') ? null : text
  } catch (error) {
    if (error instanceof Refused) throw error
    return null
  }
}

class Refused extends Error {}
