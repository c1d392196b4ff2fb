import { readBudgetField, createFieldReader, readNoteField } from '#control/read-fields.ts'
import { externalIdRule, isExternalId } from '#domain/end-customers/end-customer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CustomerSettingsChange, EndCustomerChange, NewEndCustomer } from '#ports/end-customers.ts'

const nameLengthMax = 200

export function parseNewEndCustomer(body: JsonObject): Omit<NewEndCustomer, 'id'> {
  const externalId = createFieldReader(body).requiredText('id')
  if (!isExternalId(externalId)) throw malformed(`id must be ${externalIdRule}.`)
  const { day = null, month = null, total = null } = readLimits(body)
  const isPrepaid = createFieldReader(body).flag('prepaid') ?? false
  const name = readNoteField(body, 'name', nameLengthMax) ?? null
  return { externalId, name, limits: { day, month, total }, isPrepaid }
}

export function parseEndCustomerChange(body: JsonObject): EndCustomerChange {
  const name = readNoteField(body, 'name', nameLengthMax)
  const suspended = createFieldReader(body).flag('suspended')
  const isPrepaid = createFieldReader(body).flag('prepaid')
  const markup = readMarkup(body)
  return {
    ...(name === undefined ? {} : { name }),
    ...(suspended === undefined ? {} : { suspended }),
    ...(markup === undefined ? {} : { markup }),
    ...(isPrepaid === undefined ? {} : { isPrepaid }),
    limits: readLimits(body),
  }
}

export function parseSettingsChange(body: JsonObject): CustomerSettingsChange {
  const markup = readMarkup(body)
  if (markup === null) throw malformed(`markup_basis_points must be ${markupRule}.`)
  return { ...(markup === undefined ? {} : { markup }), limits: readLimits(body) }
}

// Eleven times the cost. A larger number is a mistake, such as a percentage of percentages.
const markupMax = 100_000
const markupRule = `an integer from 0 to ${markupMax}`

function readMarkup({ markup_basis_points: markup }: JsonObject): number | null | undefined {
  if (markup === undefined || markup === null) return markup
  if (typeof markup === 'number' && Number.isInteger(markup) && markup >= 0 && markup <= markupMax) return markup
  throw malformed(`markup_basis_points must be ${markupRule}, or null for the default of the wallet.`)
}

function readLimits(body: JsonObject): EndCustomerChange['limits'] {
  const limits: { day?: NanoUsd | null; month?: NanoUsd | null; total?: NanoUsd | null } = {}
  const day = readBudgetField(body, 'daily_limit')
  const month = readBudgetField(body, 'monthly_limit')
  const total = readBudgetField(body, 'total_limit')
  if (day !== undefined) limits.day = day
  if (month !== undefined) limits.month = month
  if (total !== undefined) limits.total = total
  return limits
}
