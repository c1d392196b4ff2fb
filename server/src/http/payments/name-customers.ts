import { Type } from 'typebox'
import type { JsonObject } from '#lib/json.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Customers } from '#ports/customers.ts'

export const namedCustomer = Type.Union(
  [
    Type.Object({
      kind: Type.Union([Type.Literal('user'), Type.Literal('organization')]),
      id: Type.String(),
      name: Type.Union([Type.String(), Type.Null()], { description: 'Null if the customer was deleted.' }),
    }),
    Type.Null(),
  ],
  { description: 'The owner of the wallet. Null if no wallet is concerned.' },
)

/** Adds the owner of each row's wallet. */
export async function nameCustomers(
  customers: Pick<Customers, 'nameWallets'>,
  rows: readonly JsonObject[],
): Promise<JsonObject[]> {
  const walletIds = rows.map(({ wallet_id: id }) => id).filter((id) => typeof id === 'string' && isUuid(id))
  const names = await customers.nameWallets(walletIds.map(String))
  return rows.map((row) => {
    const name = names.get(String(row['wallet_id']))
    return { ...row, customer: name === undefined ? null : { ...name } }
  })
}
