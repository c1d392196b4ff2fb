import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { invitationLimits, invitationValues } from '#domain/organizations/invitation.ts'
import { type MaximumCost, maximumCost } from '#domain/organizations/maximum-cost.ts'
import { plainTeam, type Team } from '#domain/organizations/team.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LockedOrganization } from '#ports/organizations.ts'
import { changeUnderLock } from '../change-member.ts'
import { changeWithin } from '../change-within.ts'
import { createTeam } from '../create-team.ts'
import type { InvitationDeps } from '../invitations/invitation-deps.ts'
import { renewOrCreate } from '../invitations/invite.ts'
import type { ImportRow, ParsedImport, WrongRow } from './parse-import.ts'
import { type ImportState, type Planned, planRows } from './plan-rows.ts'

/** The result of one row. `url` is the link of an invitation that was not mailed. */
export interface RowResult {
  readonly row: number
  readonly email: string | null
  readonly outcome: Planned['outcome']
  readonly reason: string | null
  readonly url: string | null
}

export interface ImportResult {
  readonly rows: readonly RowResult[]
  readonly newTeams: readonly string[]
  readonly maximum: MaximumCost
}

interface ImportInput {
  readonly wanted: ParsedImport
  readonly inviterId: Uuid
  readonly grant: Grant
  readonly stamp: AuditStamp
}

// Each part is one transaction that locks the organization. 100 rows take about half a second.
const rowsPerPart = 100

/**
 * Imports people from a file. Each part of the file is planned and applied under the organization's lock, so a part
 * sees every change before it, and a repeated import changes only what differs. A dry run plans and changes nothing.
 */
export async function importMembers(deps: InvitationDeps, input: ImportInput, nowMs: number): Promise<ImportResult> {
  const { wanted, grant, stamp } = input
  const newTeams = await findNewTeams(deps, input)
  if (wanted.dryRun) return dryRun(deps, input, newTeams, nowMs)
  for (const { name, costCenterCode } of newTeams) {
    await createTeam(deps, { terms: { ...plainTeam, name, costCenterCode }, stamp }, nowMs)
  }
  const results: RowResult[] = wanted.wrong.map(wrongResult)
  for (let at = 0; at < wanted.rows.length; at += rowsPerPart) {
    const part = wanted.rows.slice(at, at + rowsPerPart)
    const done = await changeWithin(deps, stamp, async (locked) => {
      const state = await readState(locked, part, { newTeams: [], nowMs })
      const planned = planRows(part, state, { grant, nowMs })
      return applyRows(deps, locked, { planned, input, nowMs })
    })
    results.push(...done)
  }
  const maximum = await changeWithin(deps, stamp, async (locked) => ({
    result: await readMaximum(locked, [], { planned: [], nowMs }),
    entries: [],
  }))
  return { rows: inOrder(results), newTeams: newTeams.map(({ name }) => name), maximum }
}

function dryRun(deps: InvitationDeps, input: ImportInput, newTeams: readonly Team[], nowMs: number) {
  const { wanted, grant, stamp } = input
  return changeWithin(deps, stamp, async (locked) => {
    const state = await readState(locked, wanted.rows, { newTeams, nowMs })
    const planned = planRows(wanted.rows, state, { grant, nowMs })
    const rows = inOrder([...wanted.wrong.map(wrongResult), ...planned.map((each) => resultOf(each, null))])
    const maximum = await readMaximum(locked, newTeams, { planned, nowMs })
    return { result: { rows, newTeams: newTeams.map(({ name }) => name), maximum }, entries: [] }
  })
}

/** The teams of the file that are to be created. Only a grant for the whole organization creates teams. */
async function findNewTeams(deps: InvitationDeps, { wanted, grant, stamp }: ImportInput): Promise<Team[]> {
  if (!wanted.createTeams || grant.reach !== 'organization') return []
  const present = await changeWithin(deps, stamp, async (locked) => ({ result: await locked.listTeams(), entries: [] }))
  const names = new Set(present.map(({ name }) => name.toLowerCase()))
  const missing = new Map<string, Team>()
  for (const { team, costCenter } of wanted.rows) {
    if (typeof team !== 'string' || names.has(team.toLowerCase()) || missing.has(team.toLowerCase())) continue
    const terms = { ...plainTeam, name: team, costCenterCode: costCenter ?? null }
    missing.set(team.toLowerCase(), { id: `new ${team.toLowerCase()}`, organizationId: stamp.chainId, ...terms })
  }
  return [...missing.values()]
}

async function readState(
  locked: LockedOrganization,
  rows: readonly ImportRow[],
  { newTeams, nowMs }: { newTeams: readonly Team[]; nowMs: number },
): Promise<ImportState> {
  const emails = rows.map(({ email }) => email)
  const teams = [...(await locked.listTeams()), ...newTeams]
  const open = await locked.invitations.findOpen(emails)
  return {
    organization: locked.organization,
    teams: new Map(teams.map((team) => [team.name.toLowerCase(), team])),
    members: await locked.findMembersByAddress(emails),
    invitations: new Map(open.flatMap((entry) => (entry.email === null ? [] : [[entry.email, entry]]))),
    counts: {
      admins: (await locked.countMembers()).admins,
      openInvitations: await locked.invitations.countOpen(nowMs),
    },
  }
}

/** What people can spend at most, once the planned rows are applied. */
async function readMaximum(
  locked: LockedOrganization,
  newTeams: readonly Team[],
  { planned, nowMs }: { planned: readonly Planned[]; nowMs: number },
): Promise<MaximumCost> {
  const after = new Map(planned.flatMap((each) => ('terms' in each ? [[each.row.email, each.terms]] : [])))
  const present = await locked.listBudgeted(nowMs)
  const known = new Set(present.map(({ email }) => email))
  const people = present.map((person) => ({ ...person, ...(person.email === null ? {} : after.get(person.email)) }))
  const joining = [...after].flatMap(([email, terms]) => (known.has(email) ? [] : [{ ...terms, count: 1 }]))
  const teams = [...(await locked.listTeams()), ...newTeams]
  return maximumCost([...people, ...joining], {
    organization: locked.organization.monthlyBudget,
    teams: new Map(teams.map(({ id, monthlyBudget }) => [id, monthlyBudget])),
  })
}

async function applyRows(
  deps: InvitationDeps,
  locked: LockedOrganization,
  { planned, input, nowMs }: { planned: readonly Planned[]; input: ImportInput; nowMs: number },
): Promise<{ result: RowResult[]; entries: AuditEntry[] }> {
  const result: RowResult[] = []
  const entries: AuditEntry[] = []
  for (const each of planned) {
    const applied = await applyRow(deps, locked, { planned: each, input, nowMs })
    result.push(resultOf(each, applied.url))
    entries.push(...applied.entries)
  }
  return { result, entries }
}

async function applyRow(
  deps: InvitationDeps,
  locked: LockedOrganization,
  { planned, input, nowMs }: { planned: Planned; input: ImportInput; nowMs: number },
): Promise<{ entries: AuditEntry[]; url: string | null }> {
  const { grant, stamp, inviterId } = input
  if (planned.outcome === 'invite') {
    const { email, name = null } = planned.row
    const times = {
      createdAtMs: nowMs,
      sentAtMs: nowMs,
      expiresAtMs: nowMs + invitationLimits.defaultDays * 86_400_000,
    }
    const fresh = { uses: 0, usesMax: 1, acceptedAtMs: null, revokedAtMs: null, domain: null, invitedBy: inviterId }
    const invitation = { ...planned.terms, ...times, ...fresh, email, name }
    const made = await renewOrCreate(deps, locked, { invitation, open: planned.open, stamp, nowMs })
    const url = 'link' in made.outcome && !made.outcome.mailed ? made.outcome.link : null
    return { entries: [made.entry], url }
  }
  if (planned.outcome !== 'change') return { entries: [], url: null }
  if ('member' in planned) {
    const change = { memberId: planned.member.id, change: planned.terms, grant, stamp }
    return { entries: [...(await changeUnderLock(locked, change)).entries], url: null }
  }
  const after = { ...planned.invitation, ...planned.terms, invitedBy: inviterId }
  await locked.invitations.update(after)
  const target = { kind: 'invitation', id: after.id }
  const values = { before: invitationValues(planned.invitation), after: invitationValues(after) }
  return { entries: [{ ...stamp, action: 'invitation.update', target, ...values }], url: null }
}

function resultOf(planned: Planned, url: string | null): RowResult {
  const { row, outcome } = planned
  return { row: row.row, email: row.email, outcome, reason: outcome === 'error' ? planned.reason : null, url }
}

function wrongResult({ row, email, reason }: WrongRow): RowResult {
  return { row, email, outcome: 'error', reason, url: null }
}

function inOrder(results: readonly RowResult[]): RowResult[] {
  return results.toSorted((one, other) => one.row - other.row)
}
