import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import type { NewRoute, Operators } from '#ports/operators.ts'

const patternForm = /^(?:\*|[a-z0-9._-]+\/(?:\*|[a-z0-9._:@/-]+))$/

/** Routes of the most specific pattern decide alone; among them the lower priority is tried first. */
export async function addRoute(operators: Operators, input: Omit<NewRoute, 'id'>, nowMs: number): Promise<void> {
  if (!patternForm.test(input.pattern)) throw refusal('A pattern is a model id in lower case, author/* or *.')
  if (!Number.isInteger(input.priority) || Math.abs(input.priority) > 1_000_000) {
    throw refusal('A priority is a whole number; lower is tried first.')
  }
  const outcome = await operators.addRoute({ ...input, id: newUuid(nowMs) })
  if (outcome === 'exists') throw refusal(`${input.pattern} already has a route to ${input.accountName}.`)
  if (outcome === 'no such account') {
    throw new GatewayError('notFound', { message: `There is no provider account named ${input.accountName}.` })
  }
}

function refusal(message: string): GatewayError {
  return new GatewayError('malformedRequest', { message })
}
