import type { OperatorRole } from '../../../server/src/domain/access/operator-roles.ts'
import type { ConsoleTest } from './console-test.ts'

/**
 * Signs an operator in with a second factor, instead of an earlier person of the test, and opens a page of the
 * operator's scope. Returns the person's id.
 */
export async function enterOperator(
  { world, page, context, open, signInAs }: ConsoleTest,
  path: string,
  role: OperatorRole = 'owner',
): Promise<string> {
  const { userId } = await world.gateway.createClient({ usd: '0' })
  await world.gateway.addOperator(userId, role)
  // The open page would ask for the data of the earlier person.
  await page.goto('about:blank')
  await context.clearCookies()
  await signInAs(userId, { secondFactor: true })
  await open(`/operator${path}`)
  return userId
}
