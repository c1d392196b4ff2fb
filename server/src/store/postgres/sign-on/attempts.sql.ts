import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { SignOnAttempts } from '#ports/sign-on.ts'
import { refuseWhenAway } from '../faults.ts'

export function createSignOnAttempts(pool: Pool): SignOnAttempts {
  return {
    begin: async ({ state, connectionId, details, expiresAtMs }) => {
      const text = `INSERT INTO sign_on_attempts (state_hash, connection_id, details, expires_at) VALUES ($1, $2, $3, $4)`
      const values = [digest(state), connectionId, JSON.stringify(details), new Date(expiresAtMs)]
      await refuseWhenAway(pool.query(text, values))
    },
    take: async ({ state, nowMs }) => {
      const text = `DELETE FROM sign_on_attempts WHERE state_hash = $1 RETURNING connection_id, details, expires_at`
      const taking = pool.query<{ connection_id: Uuid; details: JsonObject; expires_at: Date }>(text, [digest(state)])
      const [row] = (await refuseWhenAway(taking)).rows
      if (row === undefined || row.expires_at.getTime() <= nowMs) return null
      return { connectionId: row.connection_id, details: row.details }
    },
    useAssertion: async ({ connectionId, assertionId, expiresAtMs }) => {
      const text = `INSERT INTO sign_on_assertions (connection_id, id_hash, expires_at) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING`
      const using = pool.query(text, [connectionId, digest(assertionId), new Date(expiresAtMs)])
      return (await refuseWhenAway(using)).rowCount === 1
    },
  }
}

// A state has 256 random bits, so a plain hash reveals nothing about it.
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Deletes attempts and used assertions a day after they expire. Returns the larger of the two counts. */
export async function purgeSignOn(pool: Pool, atMost: number): Promise<number> {
  const text = `WITH attempts AS (
      DELETE FROM sign_on_attempts WHERE state_hash IN (
        SELECT state_hash FROM sign_on_attempts WHERE expires_at < now() - interval '1 day' LIMIT $1
        FOR UPDATE SKIP LOCKED)
      RETURNING 1
    ), assertions AS (
      DELETE FROM sign_on_assertions WHERE (connection_id, id_hash) IN (
        SELECT connection_id, id_hash FROM sign_on_assertions WHERE expires_at < now() - interval '1 day' LIMIT $1
        FOR UPDATE SKIP LOCKED)
      RETURNING 1
    )
    SELECT greatest((SELECT count(*) FROM attempts), (SELECT count(*) FROM assertions))::integer AS gone`
  const { rows } = await pool.query<{ gone: number }>(text, [atMost])
  return rows[0]?.gone ?? 0
}
