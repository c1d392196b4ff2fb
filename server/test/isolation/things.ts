import { randomBytes } from 'node:crypto'
import { publicJobId } from '#domain/video/job-id.ts'
import { acceptedJob } from '#domain/video/video-job.ts'
import { newUuid } from '#lib/uuid.ts'
import type { TestGateway } from '#test/setup/gateway.ts'
import type { Target } from './expected-status.ts'
import type { Person, Place } from './people.ts'

/** What paths name, by the name of their parameter. */
export type Things = Readonly<Record<string, string>>

export interface ThingFinder {
  /** Things that were made for this one request may be deleted by it: a whole team, or what is in one. */
  find(person: Person, target: Target, made: 'before' | 'team' | 'in team'): Promise<Things>
}

export async function gatherThings(
  gateway: TestGateway,
  places: { home: Place; away: Place },
  people: readonly Person[],
): Promise<ThingFinder> {
  const { home, away } = places
  const standing = {
    home: await makeThings(gateway, home, home.teamId),
    'home, other team': await makeThings(gateway, home, home.otherTeamId),
    away: await makeThings(gateway, away, away.teamId),
  }
  const strangersKey = (await gateway.createCaller()).keyId
  const strangersJob = await makeJob(gateway, newUuid(Date.now()))
  const ownKeys = new Map<string, string | null>()
  const ownJobs = new Map<string, string>()
  for (const person of people) {
    ownKeys.set(person.name, await makeOwnKey(gateway, places, person))
    ownJobs.set(person.name, await makeJob(gateway, await walletOf(gateway, places, person)))
  }

  async function inOrganization(target: Target, made: 'before' | 'team' | 'in team'): Promise<Things> {
    switch (target) {
      case 'home':
      case 'home, other team':
      case 'away': {
        if (made === 'before') return standing[target]
        const place = target === 'away' ? away : home
        const teamId =
          made === 'team' ? (await gateway.addTeam(place.organizationId)).teamId : (standing[target]['teamId'] ?? '')
        return makeThings(gateway, place, teamId)
      }
      case 'home, things of away':
        return { ...standing.away, orgId: home.organizationId }
      case 'missing':
        return missing()
    }
  }

  return {
    async find(person, target, made) {
      const things = await inOrganization(target, made)
      if (target === 'missing') {
        return { ...things, id: newUuid(Date.now()), jobId: publicJobId(newUuid(Date.now())) }
      }
      if (target !== 'home') return { ...things, id: strangersKey, jobId: strangersJob }
      const own = made === 'before' ? ownKeys.get(person.name) : await makeOwnKey(gateway, places, person)
      return { ...things, id: own ?? strangersKey, jobId: ownJobs.get(person.name) ?? strangersJob }
    },
  }
}

/** A key that the person may manage: of the organization their own key is bound to, or else their own. */
async function makeOwnKey(
  gateway: TestGateway,
  places: { home: Place; away: Place },
  person: Person,
): Promise<string | null> {
  if (person.boundTo !== null) return (await gateway.addOrganizationKey(places[person.boundTo].organizationId)).keyId
  return person.userId === null ? null : (await gateway.addKey(person.userId)).keyId
}

/** Who pays for what the person calls; nobody has the wallet of those who call nothing. */
async function walletOf(gateway: TestGateway, places: { home: Place; away: Place }, person: Person): Promise<string> {
  if (person.boundTo !== null) return places[person.boundTo].walletId
  const text = `SELECT id FROM wallets WHERE owner_kind = 'user' AND owner_id = $1`
  const { rows } = await gateway.pool.query<{ id: string }>(text, [person.userId])
  return rows[0]?.id ?? newUuid(Date.now())
}

/** A job that no worker has looked at yet. */
async function makeJob(gateway: TestGateway, walletId: string): Promise<string> {
  const id = newUuid(Date.now())
  await gateway.pool.query(
    `INSERT INTO video_jobs (id, wallet_id, model, task, candidates, asker, held_nano, windows, progress, state, own_url, deadline_at)
     VALUES ($1, $2, 'acme/film', '{}', '[]', '{}', 0, '[]', $3, 'accepted', '', now() + interval '1 hour')`,
    [id, walletId, acceptedJob],
  )
  return publicJobId(id)
}

async function makeThings(gateway: TestGateway, place: Place, teamId: string): Promise<Things> {
  const { organizationId } = place
  const { memberId } = await gateway.addMember(organizationId, { teamId })
  const { keyId } = await gateway.addOrganizationKey(organizationId, { memberId })
  const { institutionKeyId, sessionId } = await gateway.addInstitutionSession(organizationId)
  const ruleId = newUuid(Date.now())
  await gateway.pool.query(
    `INSERT INTO filter_rules (id, organization_id, name, enabled, action, matcher, position)
     VALUES ($1, $2, $3, false, 'flag', '{"kind":"keyword","keyword":"weir"}', 0)`,
    [ruleId, organizationId, randomBytes(4).toString('hex')],
  )
  const operated = await makeOperatedThings(gateway)
  const ownKeyId = newUuid(Date.now())
  await gateway.pool.query(
    `INSERT INTO own_keys (id, organization_id, name, base_url, credential, key_mask, protocol, fallback_mode, enabled)
     VALUES ($1, $2, 'Ours', 'https://byok.example/v1', '{}', '…', 'openai', 'seamless', false)`,
    [ownKeyId, organizationId],
  )
  return { orgId: organizationId, teamId, memberId, keyId, institutionKeyId, sessionId, ruleId, ownKeyId, ...operated }
}

/** What operators alone may touch: somebody who is nobody of the matrix, and an account that serves nothing. */
async function makeOperatedThings(gateway: TestGateway): Promise<Things> {
  const { userId, walletId } = await gateway.createCaller({ usd: '0' })
  const accountName = `unused-${randomBytes(6).toString('hex')}`
  await gateway.addProvider({ vendor: 'vllm', url: 'http://127.0.0.1:9', name: accountName })
  return { userRef: userId, walletRef: walletId, accountName }
}

function missing(): Things {
  const names = [
    'orgId',
    'teamId',
    'memberId',
    'keyId',
    'institutionKeyId',
    'sessionId',
    'ruleId',
    'ownKeyId',
    'userRef',
    'walletRef',
    'accountName',
  ]
  return Object.fromEntries(names.map((name) => [name, newUuid(Date.now())]))
}
