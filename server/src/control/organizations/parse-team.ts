import type { TeamField } from '#domain/organizations/judge-team-change.ts'
import type { Team } from '#domain/organizations/team.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { readBudgetField, readNameField, readNoteField } from '../read-fields.ts'

export type TeamTerms = Pick<Team, TeamField>
export type TeamChange = Partial<TeamTerms>

const lengths = { name: 100, description: 1_000, costCenterCode: 100, permissionScope: 200 }

/** A new team: all but the name may be left out. */
export function parseNewTeam(body: JsonObject): TeamTerms {
  const { name, ...others } = parseTeamFields(body)
  if (name === undefined) throw new GatewayError('missingRequiredField', { message: 'A team needs a name.' })
  return { description: null, costCenterCode: null, permissionScope: null, monthlyBudget: null, ...others, name }
}

export function parseTeamChange(body: JsonObject): TeamChange {
  const change = parseTeamFields(body)
  if (Object.keys(change).length === 0) {
    throw malformed('Give at least one of name, description, permissionScope, costCenterCode and monthlyBudget.')
  }
  return change
}

function parseTeamFields(body: JsonObject): TeamChange {
  const name = readNameField(body, 'name', lengths.name)
  const description = readNoteField(body, 'description', lengths.description)
  const costCenterCode = readNoteField(body, 'costCenterCode', lengths.costCenterCode)
  const permissionScope = readNoteField(body, 'permissionScope', lengths.permissionScope)
  const monthlyBudget = readBudgetField(body, 'monthlyBudget')
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(costCenterCode === undefined ? {} : { costCenterCode }),
    ...(permissionScope === undefined ? {} : { permissionScope }),
    ...(monthlyBudget === undefined ? {} : { monthlyBudget }),
  }
}
