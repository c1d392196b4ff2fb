import { queryClient } from './query-client.ts'
import { organizationsQuery, type Wallet } from './wallet.ts'

type Organizations = Awaited<ReturnType<NonNullable<typeof organizationsQuery.queryFn>>>
type Organization = Organizations['data'][number]

/** An organization of the person, or undefined if there is none of this name, or the person is not a member. */
export async function findOrganization(
  name: { readonly slug: string } | { readonly id: string },
): Promise<Organization | undefined> {
  const isNamed = (one: Organization) => ('slug' in name ? one.slug === name.slug : one.id === name.id)
  const known = (await queryClient.ensureQueryData(organizationsQuery)).data.find(isNamed)
  // The person may have joined the organization since the list was read.
  return known ?? (await queryClient.fetchQuery({ ...organizationsQuery, staleTime: 1_000 })).data.find(isNamed)
}

export function walletOf({ id, name, role, ownKeysMax }: Organization): Wallet {
  const query = { organization: id }
  return { kind: 'organization', organizationId: id, name, role, ownKeysMax: Number(ownKeysMax), query }
}
