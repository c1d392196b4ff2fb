import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { readBudgetField, readNameField } from '../read-fields.ts'
import type { OrganizationChange } from './change-organization.ts'
import { readSettingsField } from './read-settings.ts'

const nameLengthMax = 100

/** What an administrator may change; plan, seats and billing are the operator's. */
export function parseOrganizationChange(body: JsonObject): OrganizationChange {
  const name = readNameField(body, 'name', nameLengthMax)
  const settings = readSettingsField(body)
  const weeklyBudget = readBudgetField(body, 'weeklyBudget')
  const monthlyBudget = readBudgetField(body, 'monthlyBudget')
  const change: OrganizationChange = {
    ...(name === undefined ? {} : { name }),
    ...(settings === undefined ? {} : { settings }),
    ...(weeklyBudget === undefined ? {} : { weeklyBudget }),
    ...(monthlyBudget === undefined ? {} : { monthlyBudget }),
  }
  if (Object.keys(change).length === 0) {
    throw malformed('Give at least one of name, settings, weeklyBudget and monthlyBudget.')
  }
  return change
}
