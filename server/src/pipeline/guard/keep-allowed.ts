import type { Principal } from '#domain/access/principal.ts'
import { mayCallModel } from '#domain/access/judge-model.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** Models that the organization does not allow are skipped. If none is left, the request is rejected. */
export function keepAllowed(principal: Principal, wanted: Wanted): Wanted {
  const refused = wanted.models.filter(({ id }) => !mayCallModel(principal, id))
  if (refused.length === 0) return wanted
  const models = wanted.models.filter((model) => !refused.includes(model))
  if (models.length === 0) {
    const names = refused.map(({ id }) => `"${id}"`).join(', ')
    const who = (principal.customerToken?.allowedModels ?? null) === null ? 'organization' : 'token or organization'
    throw new GatewayError('modelNotAllowed', { message: `Your ${who} does not allow ${names}.` })
  }
  const excluded = refused.map(({ id }) => ({ model: id, provider: null, rule: 'not_allowed' }) as const)
  return { ...wanted, models, excluded: [...wanted.excluded, ...excluded] }
}
