import { randomBytes } from 'node:crypto'
import { signInSecret } from '#bin/sign-in-secret.ts'
import { gatherPeople, type Person, type Place, type Registry } from './people.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { sessionCookieOf } from '#test/setup/sign-in.ts'

/** Creates all members of both organizations, strangers, operators, and clients with invalid credentials. */
export async function gatherCallers(registry: Registry, places: { home: Place; away: Place }): Promise<Person[]> {
  return [
    ...(await gatherPeople(registry, places.home, places.away)),
    ...madeUpCredentials(),
    ...(await endedSessions(registry, places.home)),
  ]
}

const nothing = {
  credential: null,
  userId: null,
  roleIn: { home: null, away: null },
  boundTo: null,
  operates: null,
} as const
const refused = { standing: 'unauthenticated', ...nothing } as const

function madeUpCredentials(): Person[] {
  const secret = randomBytes(32).toString('hex')
  // A valid signature for a session that does not exist.
  const neverBegun = sessionCookieOf(signInSecret(testSecret), randomBytes(24).toString('base64url'))
  const unsigned = neverBegun.replace(/=.*/, `=${secret}`)
  const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` }, ...refused })
  return [
    { name: 'garbage', ...bearer('garbage') },
    { name: 'key that was never made', ...bearer(`sk-weir-${secret}`) },
    { name: 'institution session that was never begun', ...bearer(`edu-sess-${secret}`) },
    { name: 'another scheme', headers: { authorization: `Basic ${btoa('admin:admin')}` }, ...refused },
    { name: 'cookie of no session', headers: { cookie: neverBegun, origin: ownOrigin }, ...refused },
    { name: 'cookie without a signature', headers: { cookie: unsigned, origin: ownOrigin }, ...refused },
  ]
}

/** An administrator's expired session, and ended institution sessions. */
async function endedSessions(registry: Registry, { organizationId }: Place): Promise<Person[]> {
  const { pool } = registry
  const { userId } = await registry.addMember(organizationId, { role: 'org_admin' })
  const cookie = await registry.signIn(userId)
  await pool.query(`UPDATE auth_sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [userId])
  const lapsed = await registry.addInstitutionSession(organizationId)
  await pool.query(`UPDATE institution_sessions SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    lapsed.sessionId,
  ])
  const gone = await registry.addInstitutionSession(organizationId)
  await pool.query('DELETE FROM institution_sessions WHERE id = $1', [gone.sessionId])
  const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` }, ...refused })
  return [
    { name: 'session that has expired', headers: { cookie, origin: ownOrigin }, ...refused },
    { name: 'institution session that has expired', ...bearer(lapsed.token) },
    { name: 'institution session that was ended', ...bearer(gone.token) },
  ]
}
