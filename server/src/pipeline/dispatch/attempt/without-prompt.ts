import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GatewayError } from '#errors/gateway-error.ts'
import { QuoteFinder, quotableIn } from '#lib/quotes.ts'
import type { Ticket } from '../../types.ts'

/**
 * Characters of a prompt that are searched in one turn of the event loop, so that other requests do not wait for a long
 * one.
 */
const sliceLength = 65_536
/** Text across the end of a slice is also seen in the next one. */
const overlap = 64

/**
 * The rejection in words that may be logged: an upstream may have quoted the prompt in its error. After a 4xx the
 * client gets the upstream's words unchanged, because they are about its own text. Messages of 5xx are also logged, so
 * they are stripped.
 */
export async function withoutPrompt(error: GatewayError, ticket: Ticket): Promise<GatewayError> {
  const { inside, message, row } = error
  if (inside === undefined) return error
  const [kept = '', told] = await withoutClientWords(row.status >= 500 ? [inside, message] : [inside], ticket)
  return error.retold({ message: told ?? message, inside: kept })
}

/** The upstream's error texts, without the words that they quote from the request. */
export async function withoutClientWords(said: readonly string[], { arrival, plan }: Ticket): Promise<string[]> {
  const { model: _model, models: _models, ...body } = plan.call.body
  const finders = said.map((words) => new QuoteFinder(words))
  let looked = 0
  for (const text of new Set([...arrival.dialect.texts(plan.call.body), ...quotableIn(body)])) {
    for (let from = 0; from < text.length; from += sliceLength - overlap) {
      const slice = text.slice(from, from + sliceLength)
      looked += slice.length
      // A prompt may be one long text or thousands of short ones.
      if (looked > sliceLength) {
        await nextTurn()
        looked = slice.length
      }
      for (const finder of finders) finder.look(slice)
    }
  }
  return finders.map((finder) => finder.left())
}
