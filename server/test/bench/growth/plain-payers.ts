import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { Payer } from '../organizations/money-load.ts'

const funds = 1_000_000_000_000_000

/** Creates people with a wallet, a key and no limits, by number. */
export async function createPlainPayers(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO wallets (id, owner_kind, owner_id, balance_nano, credited_nano)
     SELECT md5('wallet ' || n)::uuid, 'user', md5('user ' || n)::uuid, ${funds}, ${funds} FROM generate_series(1, $1::integer) AS n`,
    [count],
  )
}

/** Draws one of this many people uniformly. */
export function payerNumber(count: number): () => Payer {
  return () => {
    const number = 1 + Math.floor(Math.random() * count)
    return {
      walletId: idOf(`wallet ${number}`),
      keyId: idOf(`key ${number}`),
      userId: idOf(`user ${number}`),
      organizationId: null,
      teamId: null,
      memberId: null,
      windows: [],
    }
  }
}

export function idOf(name: string): Uuid {
  const digits = hash('md5', name)
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
  return parts.join('-')
}
