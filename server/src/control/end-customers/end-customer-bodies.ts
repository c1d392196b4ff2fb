import { readBudgetField, createFieldReader, readNoteField } from '#control/read-fields.ts'
import { externalIdRule, isExternalId } from '#domain/end-customers/end-customer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { EndCustomerChange, NewEndCustomer } from '#ports/end-customers.ts'

const nameLengthMax = 200

export function parseNewEndCustomer(body: JsonObject): Omit<NewEndCustomer, 'id'> {
  const externalId = createFieldReader(body).requiredText('id')
  if (!isExternalId(externalId)) throw malformed(`id must be ${externalIdRule}.`)
  const { day = null, month = null, total = null } = readLimits(body)
  return { externalId, name: readNoteField(body, 'name', nameLengthMax) ?? null, limits: { day, month, total } }
}

export function parseEndCustomerChange(body: JsonObject): EndCustomerChange {
  const name = readNoteField(body, 'name', nameLengthMax)
  const suspended = createFieldReader(body).flag('suspended')
  return {
    ...(name === undefined ? {} : { name }),
    ...(suspended === undefined ? {} : { suspended }),
    limits: readLimits(body),
  }
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
