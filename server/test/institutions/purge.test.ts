import { afterAll, beforeAll, expect, it } from 'vitest'
import { purgeInstitutions } from '#store/postgres/institutions/codes.sql.ts'
import { type InstitutionWorld, newEmail, startInstitutionWorld } from './institution-world.ts'

let world: InstitutionWorld
beforeAll(async () => {
  world = await startInstitutionWorld()
})
afterAll(() => world.close())

async function counts(): Promise<unknown> {
  const { rows } = await world.pool.query(`SELECT (SELECT count(*)::integer FROM institution_code_requests) AS requests,
    (SELECT count(*)::integer FROM institution_codes) AS codes, (SELECT count(*)::integer FROM institution_sessions) AS sessions`)
  return rows[0]
}

it('what nobody will ask for any more is deleted, a bounded number at a time, and nothing else', async () => {
  const own = await world.createInstitution()
  for (let count = 0; count < 3; count += 1) {
    await world.enter({ key: own.key, email: newEmail() })
    const entry = { key: own.key, email: newEmail('elsewhere.edu') }
    await world.requestCode(entry)
    await world.storedCode(entry)
  }
  expect(await counts()).toEqual({ requests: 6, codes: 3, sessions: 3 })
  expect(await purgeInstitutions(world.pool, 100)).toBe(0)
  await world.pool.query(`UPDATE institution_code_requests SET at = at - interval '3 hours' WHERE id % 2 = 0`)
  await world.pool.query(`UPDATE institution_codes SET created_at = now() - interval '26 hours'`)
  await world.pool.query(
    `UPDATE institution_sessions SET expires_at = now() - interval '31 days' WHERE id = (SELECT min(id::text)::uuid FROM institution_sessions)`,
  )
  expect(await purgeInstitutions(world.pool, 2)).toBe(5)
  expect(await purgeInstitutions(world.pool, 100)).toBe(2)
  expect(await counts()).toEqual({ requests: 3, codes: 0, sessions: 2 })
})
