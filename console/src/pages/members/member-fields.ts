import { optionalAmountBody } from '../../api/amount-body.ts'
import type { Member, MemberTerms } from '../../api/members.ts'
import { type Role, roles } from '../../app/role-table.ts'
import { roleWords } from '../../app/role-words.ts'
import { usdText } from '../../lib/budget-rule.ts'
import { toNano } from '../../lib/money.ts'

/** The values of the form, as strings. */
export interface MemberFields {
  /** Only a new member's can be set. */
  readonly email: string
  readonly role: Role
  /** Empty for no team. */
  readonly team: string
  readonly budget: string
}

export function fieldsOf(member: Pick<Member, 'user' | 'role' | 'team' | 'monthlyBudget'>): MemberFields {
  const { user, role, team, monthlyBudget } = member
  return { email: user.email, role, team: team?.id ?? '', budget: usdText(monthlyBudget) }
}

export function termsOf({ role, team, budget }: MemberFields): MemberTerms {
  return { role, teamId: team === '' ? null : team, monthlyBudget: optionalAmountBody(budget) }
}

/** Only the changed fields, because each one is checked by itself: a changed role needs a recent sign-in. */
export function changeOf(before: MemberFields, after: MemberFields): Partial<MemberTerms> {
  const terms = termsOf(after)
  return {
    ...(before.role === after.role ? {} : { role: terms.role }),
    ...(before.team === after.team ? {} : { teamId: terms.teamId }),
    ...(isSameAmount(before.budget, after.budget) ? {} : { monthlyBudget: terms.monthlyBudget }),
  }
}

function isSameAmount(one: string, other: string): boolean {
  if (one.trim() === '' || other.trim() === '') return one.trim() === other.trim()
  return toNano(one.trim()) === toNano(other.trim())
}

/** The roles that can be given: a team admin gives none beyond the own. */
export function roleChoices(isTeamAdmin: boolean): readonly { readonly value: Role; readonly label: string }[] {
  const given = isTeamAdmin ? roles.filter((role) => role === 'member' || role === 'team_admin') : roles
  return given.map((value) => ({ value, label: roleWords[value].label })).toReversed()
}
