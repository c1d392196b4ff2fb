import type { ExchangeScript, MediaRequest } from '#providers/codecs/exchange-script.ts'

export interface Answer {
  readonly status?: number
  /** An object is sent as JSON. */
  readonly body: unknown
}

/** Runs a codec on responses that no simulator gives, and records its requests. */
export function hear<Result>(
  conversation: ExchangeScript<Result>,
  ...answers: readonly Answer[]
): { result: Result; requests: MediaRequest[] } {
  const requests: MediaRequest[] = []
  let next = conversation.next()
  for (const { status = 200, body } of answers) {
    if (next.done === true || next.value.kind !== 'send') throw new Error('it did not ask so often')
    requests.push(next.value.request)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    next = conversation.next({ status, headers: {}, body: Buffer.from(text) })
  }
  if (next.done !== true) throw new Error('it asked once more')
  return { result: next.value, requests }
}
