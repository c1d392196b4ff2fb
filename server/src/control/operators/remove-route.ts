import { GatewayError } from '#errors/gateway-error.ts'
import type { Operators } from '#ports/operators.ts'

export async function removeRoute(
  operators: Operators,
  route: { pattern: string; accountName: string },
): Promise<void> {
  if (await operators.removeRoute(route)) return
  throw new GatewayError('notFound', { message: `${route.pattern} has no route to ${route.accountName}.` })
}
