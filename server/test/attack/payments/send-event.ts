import { createHmac } from 'node:crypto'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { type Answer, send } from '../setup/send.ts'

interface SignOptions {
  readonly secret: string
  /** Unix milliseconds. */
  readonly atMs: number
}

/** Returns the signature header of an event. */
export function signEvent(text: string, { secret, atMs }: SignOptions): string {
  const seconds = Math.floor(atMs / 1_000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')}`
}

/** Sends an event to the gateway's webhook endpoint, without a signature if null. */
export function sendEvent({ url }: ServerProcess, text: string, signature: string | null): Promise<Answer> {
  return send(`${url}/api/payments/stripe/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === null ? {} : { 'stripe-signature': signature }),
    },
    body: text,
  })
}
