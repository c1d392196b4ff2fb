import { GatewayError } from '#errors/gateway-error.ts'
import type { Operators } from '#ports/operators.ts'

/** A disabled account keeps its routes and its credential and is never asked. */
export async function enableProviderAccount(
  operators: Operators,
  input: { name: string; enabled: boolean },
): Promise<void> {
  if (await operators.setAccountEnabled(input.name, input.enabled)) return
  throw new GatewayError('notFound', { message: `There is no provider account named ${input.name}.` })
}
