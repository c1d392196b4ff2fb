import type { FastifyInstance } from 'fastify'
import type { SentEvent } from '#control/payments/take-event.ts'
import type { BodyReader } from '../bodies/body-reader.ts'

export interface WebhookRouteDeps {
  readonly bodies: Pick<BodyReader, 'receive'>
  /** Null: no provider is set up, and there is no route. */
  readonly take: ((event: SentEvent) => Promise<void>) | null
}

// Some ten times the largest event that an order makes.
const eventBytesMax = 256 * 1_024

/**
 * Where the payment provider tells what has happened. The signature is over the bytes, so they are read as they were sent. The
 * answer is 200 once all is committed; whatever fails is answered otherwise, and sent again.
 */
export function addWebhookRoute(server: FastifyInstance, { bodies, take }: WebhookRouteDeps): void {
  if (take === null) return
  server.post('/api/payments/stripe/webhook', { config: { ignoresSession: true } }, async (request, reply) => {
    const { bytes, release } = await bodies.receive(request, reply, eventBytesMax)
    try {
      const signature = request.headers['stripe-signature']
      await take({ bytes, headers: { 'stripe-signature': typeof signature === 'string' ? signature : undefined } })
    } finally {
      release()
    }
    return reply.code(200).send({ received: true })
  })
}
