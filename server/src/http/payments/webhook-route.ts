import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PaymentSource } from '#domain/payments/top-up.ts'
import type { SentEvent } from '#ports/payments.ts'
import type { BodyReader } from '../bodies/body-reader.ts'

export type TakeEvent = (event: SentEvent) => Promise<void>

export interface WebhookRouteDeps {
  readonly bodies: Pick<BodyReader, 'receive'>
  /** By payment provider. A provider that is not configured has no route. */
  readonly take: ReadonlyMap<PaymentSource, TakeEvent>
}

// About ten times the largest event of an order.
const eventBytesMax = 256 * 1_024
const options = { config: { ignoresSession: true } } as const

/**
 * The webhooks of payment providers. The signature covers the bytes, so they are read unchanged. The response is 200
 * once everything is committed; after any other status the provider sends the webhook again.
 */
export function addWebhookRoutes(server: FastifyInstance, { bodies, take }: WebhookRouteDeps): void {
  const read = async (request: FastifyRequest, reply: FastifyReply, takeEvent: TakeEvent): Promise<void> => {
    const { bytes, release } = await bodies.receive(request, reply, eventBytesMax)
    try {
      const signature = request.headers['stripe-signature']
      await takeEvent({
        bytes,
        headers: { 'stripe-signature': typeof signature === 'string' ? signature : undefined },
      })
    } finally {
      release()
    }
  }
  const takeStripe = take.get('stripe')
  if (takeStripe !== undefined) {
    server.post('/api/payments/stripe/webhook', options, async (request, reply) => {
      await read(request, reply, takeStripe)
      return reply.code(200).send({ received: true })
    })
  }
  const takeEpay = take.get('epay')
  if (takeEpay !== undefined) {
    // In the epay protocol an event is the query of a GET; some implementations post a form. Only this response body
    // counts as accepted.
    server.get('/api/payments/epay/notify', options, async (request, reply) => {
      const [, query = ''] = request.url.split('?', 2)
      await takeEpay({ bytes: Buffer.from(query), headers: {} })
      return reply.type('text/plain').send('success')
    })
    server.register(async (scope) => {
      const form = /^application\/x-www-form-urlencoded(?:\s*;|$)/i
      scope.addContentTypeParser(form, (_request, _payload, done) => done(null))
      scope.post('/api/payments/epay/notify', options, async (request, reply) => {
        await read(request, reply, takeEpay)
        return reply.type('text/plain').send('success')
      })
    })
  }
}
