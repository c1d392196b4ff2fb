import { isJsonObject } from '../../../server/src/lib/json.ts'
import type { TestClient } from '../../../server/test/setup/accounts.ts'
import type { World } from './world.ts'

/** Creates an order of a person's own wallet that is paid at the provider and booked. */
export async function payOrder(world: World, { userId, walletId }: TestClient, amount: number): Promise<string> {
  const client = world.gateway.as({ cookie: await world.gateway.signIn(userId) })
  const headers = { origin: world.origin }
  const path = `/api/wallets/${walletId}/top-ups`
  const { json, text } = await client.post(path, { amount }, { headers })
  const order = json['data']
  if (!isJsonObject(order)) throw new Error(text)
  const id = String(order['id'])
  world.payments.state.pay(world.payments.state.sessionOf(id)?.id ?? '')
  await client.post(`${path}/${id}/check`, undefined, { headers })
  return id
}
