import type { Pool } from 'pg'
import { expect } from 'vitest'
import { createCodeDigests, readEntry } from '#control/institutions/read-entry.ts'
import type { JsonObject } from '#lib/json.ts'
import { testSecret } from '#test/setup/gateway.ts'

/** Data that only the store has. */
export interface StoreInspection {
  /** Moves the code requests into the past. */
  passTime(interval: string): Promise<void>
  auditOf(organizationId: string, action: string): Promise<AuditRow[]>
  /** The stored code after a request was processed: without a key it is a decoy, and no mail was sent. */
  storedCode(entry: { key: string; email: string }): Promise<CodeRow>
}

interface CodeRow {
  subject: Buffer
  key_id: string | null
  code_hmac: Buffer
  attempts: number
}

interface AuditRow {
  actor_kind: string
  actor_id: string | null
  target_kind: string
  target_id: string
  before: JsonObject | null
  after: JsonObject | null
  details: JsonObject | null
}

export function inspectStore(pool: Pool): StoreInspection {
  return {
    passTime: async (interval) => {
      await pool.query('UPDATE institution_code_requests SET at = at - $1::interval', [interval])
    },
    storedCode: async (entry) => {
      const { subject } = readEntry(createCodeDigests(testSecret), entry)
      const find = async (): Promise<CodeRow | undefined> =>
        (await pool.query<CodeRow>('SELECT * FROM institution_codes WHERE subject = $1', [subject])).rows[0]
      await expect.poll(find, { interval: 5 }).toBeDefined()
      const row = await find()
      if (row === undefined) throw new Error('no code is stored')
      return row
    },
    auditOf: async (organizationId, action) => {
      const { rows } = await pool.query<AuditRow>(
        'SELECT * FROM audit_entries WHERE chain_id = $1 AND action = $2 ORDER BY sequence',
        [organizationId, action],
      )
      return rows
    },
  }
}
