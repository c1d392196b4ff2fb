import type { Pool } from 'pg'
import { createKey } from '#control/keys/create-key.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createChance } from '../history/chance.ts'
import { historyDays, settleHistory } from '../history/seed-history.ts'
import type { DemoPerson } from './demo-people.ts'

/** A person of the demo in its organization. */
export interface DemoPlace {
  readonly person: DemoPerson
  readonly userId: Uuid
  readonly memberId: Uuid
  readonly teamId: Uuid | null
}

const seed = 20_262

/** Creates a key for each person with requests, and a month of requests that are shared by the people. */
export async function seedOrganizationHistory(
  pool: Pool,
  demo: { organizationId: Uuid; walletId: Uuid; places: readonly DemoPlace[] },
  nowMs: number,
): Promise<void> {
  const { organizationId, walletId } = demo
  const { keys } = createPostgresOperators(pool)
  const author = operatorAuthor(nowMs - historyDays * 86_400_000)
  const users: (DemoPlace & { readonly keyId: Uuid })[] = []
  for (const place of demo.places.filter(({ person }) => person.share > 0)) {
    const { userId, memberId, teamId } = place
    const owner = { kind: 'organization', organizationId, userId, memberId, teamId } as const
    const name = `${place.person.name.split(' ')[0]}'s key`
    const terms = { name, type: 'standard', limit: null, period: null, expiresAtMs: null, allowedCidrs: [] } as const
    const { id: keyId } = await createKey(keys, { owner, terms, author })
    users.push({ ...place, keyId })
  }
  const chance = createChance(seed)
  const pick = () => {
    let left = chance.between(0, 100)
    return users.find(({ person }) => (left -= person.share) < 0) ?? users[0]
  }
  await settleHistory(pool, { seed, nowMs }, () => {
    const chosen = pick()
    const { userId = '', memberId = '', teamId = null, keyId = '' } = chosen ?? {}
    return { owner: { walletId, userId, organizationId, memberId, teamId }, keyId }
  })
}
