import { GatewayError } from '#errors/gateway-error.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Operators } from '#ports/operators.ts'
import { platformEntry } from './platform-entry.ts'

export async function removeRoute(
  operators: Operators,
  route: { pattern: string; accountName: string },
  author: ChangeAuthor,
): Promise<void> {
  const entry = platformEntry(author, { action: 'route.remove', target: null, before: { ...route } })
  if (await operators.removeRoute(route, entry)) return
  throw new GatewayError('notFound', { message: `${route.pattern} has no route to ${route.accountName}.` })
}
