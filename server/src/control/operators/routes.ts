import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { newUuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { NewRoute, Operators } from '#ports/operators.ts'
import { platformEntry } from './platform-entry.ts'

const patternForm = /^(?:\*|[a-z0-9._-]+\/(?:\*|[a-z0-9._:@/-]+))$/
const upstreamModelLengthMax = 300

/**
 * Adds a route. Only routes of the most specific pattern apply; among them the lower priority number is tried first.
 */
export async function addRoute(operators: Operators, input: Omit<NewRoute, 'id'>, author: ChangeAuthor): Promise<void> {
  if (!patternForm.test(input.pattern)) throw malformed('The pattern must be a lowercase model id, author/* or *.')
  if (!Number.isInteger(input.priority) || Math.abs(input.priority) > 1_000_000) {
    throw malformed('The priority must be an integer. Lower values are tried first.')
  }
  if (input.upstreamModel !== null && !isUpstreamName(input.upstreamModel)) {
    throw malformed(`The upstream model name must be a string of 1 to ${upstreamModelLengthMax} characters.`)
  }
  const id = newUuid(author.nowMs)
  const entry = platformEntry(author, { action: 'route.add', target: { kind: 'route', id }, after: { ...input } })
  const outcome = await operators.addRoute({ ...input, id }, entry)
  if (outcome === 'exists') throw malformed(`A route from ${input.pattern} to ${input.accountName} already exists.`)
  if (outcome === 'no such account') {
    throw new GatewayError('notFound', { message: `Provider account ${input.accountName} not found.` })
  }
}

function isUpstreamName(text: string): boolean {
  return text.trim() !== '' && text.length <= upstreamModelLengthMax && !/\p{Cc}/u.test(text)
}

export async function removeRoute(
  operators: Operators,
  route: { pattern: string; accountName: string },
  author: ChangeAuthor,
): Promise<void> {
  const entry = platformEntry(author, { action: 'route.remove', target: null, before: { ...route } })
  if (await operators.removeRoute(route, entry)) return
  throw new GatewayError('notFound', { message: `No route from ${route.pattern} to ${route.accountName} exists.` })
}
