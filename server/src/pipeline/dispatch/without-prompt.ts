import type { GatewayError } from '#errors/gateway-error.ts'
import { quotableIn, withoutQuotes } from '#lib/quotes.ts'
import type { Ticket } from '../types.ts'

/**
 * The refusal in words that may be logged: an upstream may have quoted the prompt in its error. The client of a 4xx reads the
 * upstream's words as they are, since they are about its own text; messages of 5xx are logged too.
 */
export function withoutPrompt(error: GatewayError, { arrival, plan }: Ticket): GatewayError {
  const { inside, message, row } = error
  if (inside === undefined) return error
  const { model: _model, models: _models, ...body } = plan.call.body
  const texts = [...arrival.dialect.texts(plan.call.body), ...quotableIn(body)]
  return error.retold({
    message: row.status >= 500 ? withoutQuotes(message, texts) : message,
    inside: withoutQuotes(inside, texts),
  })
}
