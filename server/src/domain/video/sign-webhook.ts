import { createHmac } from 'node:crypto'

const secretForm = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** The headers of Standard Webhooks: with the secret a receiver can verify the sender and the age of a webhook. */
export function signWebhook(
  { id, body }: { id: string; body: string },
  secret: string,
  nowMs: number,
): Record<string, string> {
  const [, key = ''] = secretForm.exec(secret) ?? []
  const timestamp = String(Math.floor(nowMs / 1_000))
  const hmac = createHmac('sha256', Buffer.from(key, 'base64'))
  const signature = hmac.update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
