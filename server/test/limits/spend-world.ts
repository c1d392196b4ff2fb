import type { Outside } from '#bin/wiring/outside.ts'
import type { JsonObject } from '#lib/json.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import type { Credential } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'
import type { TestMember } from '#test/setup/organizations.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

/** A gateway with organizations that spend, and helpers to change their limits. */
export interface SpendWorld extends MoneyWorld {
  send(credential: Credential, method: string, path: string, body?: JsonObject): Promise<Reply>
  /** Creates an organization with two teams of two members each, with a key each. */
  newPlace(): Promise<Place>
  /** Costs 0.006 and holds 0.006015. */
  spend(caller: { key: string }): Promise<Reply>
  /** Every later response costs this many completion tokens at 0.000012. */
  answerWith(completionTokens: number): void
  auditOf(organizationId: string): Promise<AuditRow[]>
  windowsOf(ownerId: string): Promise<{ kind: string; spent: string; held: string }[]>
}

export interface Place {
  organizationId: string
  walletId: string
  /** A management key of its administrator. */
  admin: string
  teams: readonly [Team, Team]
}

interface Team {
  teamId: string
  people: readonly [Person, Person]
}

export interface Person extends TestMember {
  keyId: string
  key: string
}

interface AuditRow {
  action: string
  actor_kind: string
  actor_id: string | null
  target_kind: string
  target_id: string
  before: JsonObject | null
  after: JsonObject | null
  details: JsonObject | null
}

export async function startSpendWorld(outside: Partial<Outside> = {}): Promise<SpendWorld> {
  const world = await startMoneyWorld({}, outside)
  const answerWith = (completion: number): void => {
    const usage = { prompt: 0, completion }
    world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage }))
  }
  answerWith(500)

  async function newPerson(organizationId: string, teamId: string): Promise<Person> {
    const member = await world.addMember(organizationId, { teamId })
    return { ...member, ...(await world.addOrganizationKey(organizationId, { memberId: member.memberId })) }
  }

  async function newTeam(organizationId: string): Promise<Team> {
    const { teamId } = await world.addTeam(organizationId)
    return { teamId, people: [await newPerson(organizationId, teamId), await newPerson(organizationId, teamId)] }
  }

  return {
    ...world,
    answerWith,
    send: (credential, method, path, body) => world.as(credential).send(method, path, body),
    newPlace: async () => {
      const { id, walletId } = await world.createOrganization({ usd: '1000' })
      const { userId } = await world.addMember(id, { role: 'org_admin' })
      const { key: admin } = await world.addKey(userId, { type: 'management' })
      return { organizationId: id, walletId, admin, teams: [await newTeam(id), await newTeam(id)] }
    },
    spend: (caller) => world.call(caller, { max_tokens: 500 }),
    auditOf: async (organizationId) => {
      const { rows } = await world.pool.query<AuditRow>(
        'SELECT * FROM audit_entries WHERE chain_id = $1 ORDER BY sequence',
        [organizationId],
      )
      return rows
    },
    windowsOf: async (ownerId) => {
      const { rows } = await world.pool.query<{ kind: string; spent: string; held: string }>(
        'SELECT kind, spent_nano AS spent, held_nano AS held FROM spend_windows WHERE owner_id = $1 ORDER BY kind, starts_at',
        [ownerId],
      )
      return rows
    },
  }
}
