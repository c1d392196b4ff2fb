import { coversMember, type Grant } from '#domain/access/judge-access.ts'
import { type Invitation, invitationLimits, statusOf } from '#domain/organizations/invitation.ts'
import { judgeMember } from '#domain/organizations/judge-member.ts'
import type { Member } from '#domain/organizations/member.ts'
import { resolveMemberTerms } from '#domain/organizations/member-terms.ts'
import type { Organization } from '#domain/organizations/organization.ts'
import type { Team } from '#domain/organizations/team.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ImportRow } from './parse-import.ts'

/** What the organization has of the people of some rows. */
export interface ImportState {
  readonly organization: Pick<Organization, 'defaultRole' | 'defaultMonthlyBudget'>
  /** By name in lower case. */
  readonly teams: ReadonlyMap<string, Team>
  readonly members: ReadonlyMap<string, Member>
  readonly invitations: ReadonlyMap<string, Invitation>
  readonly counts: ImportCounts
}

interface ImportCounts {
  readonly admins: number
  readonly openInvitations: number
}

export type Terms = Pick<Member, 'role' | 'teamId' | 'monthlyBudget'>

export type Planned = { readonly row: ImportRow } & (
  | { readonly outcome: 'invite'; readonly open: Invitation | null; readonly terms: Terms }
  | { readonly outcome: 'change'; readonly member: Member; readonly terms: Terms }
  | { readonly outcome: 'change'; readonly invitation: Invitation; readonly terms: Terms }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'error'; readonly reason: string }
)

/** Decides for each row, in order: a row sees the administrators and invitations that the rows before it leave. */
export function planRows(
  rows: readonly ImportRow[],
  state: ImportState,
  { grant, nowMs }: { grant: Grant; nowMs: number },
): Planned[] {
  let { admins, openInvitations } = state.counts
  return rows.map((row) => {
    const planned = planRow(row, { ...state, counts: { admins, openInvitations } }, { grant, nowMs })
    if (planned.outcome === 'invite') openInvitations += 1
    if (planned.outcome === 'change' && 'member' in planned && !planned.member.suspended) {
      admins += Number(planned.terms.role === 'org_admin') - Number(planned.member.role === 'org_admin')
    }
    return planned
  })
}

function planRow(row: ImportRow, state: ImportState, rules: { grant: Grant; nowMs: number }): Planned {
  const member = state.members.get(row.email)
  const open = state.invitations.get(row.email)
  const pending = open !== undefined && statusOf(open, rules.nowMs) === 'pending' ? open : undefined
  const placed = placeOf(row, state, { before: member ?? pending, grant: rules.grant })
  if ('reason' in placed) return { row, outcome: 'error', reason: placed.reason }
  if (member !== undefined) return planMember(row, { member, team: placed.team, state, grant: rules.grant })
  if (open !== undefined && !coversMember(rules.grant, open)) {
    return { row, outcome: 'error', reason: 'Already invited to another team.' }
  }
  if (pending !== undefined) return planInvitation(row, { invitation: pending, team: placed.team, grant: rules.grant })
  return planNewcomer(row, { open: open ?? null, team: placed.team, state, grant: rules.grant })
}

/** The team of the row; without one the present team, or for a team admin the own. */
function placeOf(
  { team: name, costCenter }: ImportRow,
  { teams }: ImportState,
  { before, grant }: { before: { readonly teamId: Uuid | null } | undefined; grant: Grant },
): { readonly team: Team | null } | { readonly reason: string } {
  if (name === null) return { team: null }
  if (name === undefined) {
    const id = before === undefined ? (grant.reach === 'own_team' ? grant.teamId : null) : before.teamId
    return { team: [...teams.values()].find((each) => each.id === id) ?? null }
  }
  const team = teams.get(name.toLowerCase())
  if (team === undefined) return { reason: `Team ${name} does not exist.` }
  if (costCenter !== undefined && team.costCenterCode !== costCenter) {
    return { reason: `Team ${team.name} has ${costCenterWords(team)}, not ${costCenter}.` }
  }
  return { team }
}

function costCenterWords({ costCenterCode }: Team): string {
  return costCenterCode === null ? 'no cost centre' : `the cost centre ${costCenterCode}`
}

function planMember(
  row: ImportRow,
  { member, team, state, grant }: { member: Member; team: Team | null; state: ImportState; grant: Grant },
): Planned {
  const terms = termsAfter(row, member, team)
  if (isSame(terms, member)) return { row, outcome: 'unchanged' }
  const isAdmin = member.role === 'org_admin' && !member.suspended
  const otherAdmins = state.counts.admins - Number(isAdmin)
  const verdict = judgeMember(grant, { before: member, after: { ...member, ...terms }, otherAdmins })
  if (!verdict.allowed) return { row, outcome: 'error', reason: verdict.message }
  return { row, outcome: 'change', member, terms }
}

function planInvitation(
  row: ImportRow,
  { invitation, team, grant }: { invitation: Invitation; team: Team | null; grant: Grant },
): Planned {
  const terms = termsAfter(row, invitation, team)
  if (isSame(terms, invitation)) return { row, outcome: 'unchanged' }
  const verdict = judgeMember(grant, { before: null, after: { ...terms, suspended: false }, otherAdmins: 0 })
  if (!verdict.allowed) return { row, outcome: 'error', reason: verdict.message }
  return { row, outcome: 'change', invitation, terms }
}

/**
 * Everyone who is no member is invited, with an account or without: an import must not tell who has an account here. It
 * therefore asks for no account at all, so that its time tells nothing either.
 */
function planNewcomer(
  row: ImportRow,
  { open, team, state, grant }: { open: Invitation | null; team: Team | null; state: ImportState; grant: Grant },
): Planned {
  const terms = resolveMemberTerms(row, { organization: state.organization, team })
  const verdict = judgeMember(grant, { before: null, after: { ...terms, suspended: false }, otherAdmins: 0 })
  if (!verdict.allowed) return { row, outcome: 'error', reason: verdict.message }
  const isFull = state.counts.openInvitations >= invitationLimits.openMax
  return isFull ? { row, outcome: 'error', reason: tooMany } : { row, outcome: 'invite', open, terms }
}

const tooMany = `An organization can have at most ${invitationLimits.openMax} open invitations.`

function termsAfter(row: ImportRow, before: Terms, team: Team | null): Terms {
  const { role = before.role, monthlyBudget = before.monthlyBudget } = row
  return { role, monthlyBudget, teamId: team?.id ?? null }
}

function isSame(one: Terms, other: Terms): boolean {
  return one.role === other.role && one.teamId === other.teamId && one.monthlyBudget === other.monthlyBudget
}
