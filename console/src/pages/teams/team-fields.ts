import { optionalAmountBody } from '../../api/amount-body.ts'
import type { Team, TeamTerms } from '../../api/teams.ts'
import { usdText } from '../../lib/budget-rule.ts'

/** The values of the form, as strings. */
export interface TeamFields {
  readonly name: string
  readonly description: string
  readonly costCenter: string
  readonly budget: string
}

export const emptyTeam: TeamFields = { name: '', description: '', costCenter: '', budget: '' }

export function teamFieldsOf(team: Pick<Team, keyof TeamTerms>): TeamFields {
  return {
    name: team.name,
    description: team.description ?? '',
    costCenter: team.costCenterCode ?? '',
    budget: usdText(team.monthlyBudget),
  }
}

export function teamTermsOf({ name, description, costCenter, budget }: TeamFields): TeamTerms {
  return {
    name: name.trim(),
    description: description.trim() === '' ? null : description.trim(),
    costCenterCode: costCenter.trim() === '' ? null : costCenter.trim(),
    monthlyBudget: optionalAmountBody(budget),
  }
}
