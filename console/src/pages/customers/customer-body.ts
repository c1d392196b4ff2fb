import { amountBody, optionalAmountBody } from '../../api/amount-body.ts'
import type { EndCustomer, EndCustomerChange, NewEndCustomer } from '../../api/end-customers.ts'
import { usdText } from '../../lib/budget-rule.ts'
import { toNano } from '../../lib/money.ts'
import { basisPointsIn, percentText } from './markup.ts'

/** The form's values, as strings. */
export interface CustomerFields {
  readonly id: string
  readonly name: string
  readonly daily: string
  readonly monthly: string
  readonly total: string
  /** In percent. */
  readonly markup: string
}

export const emptyCustomer: CustomerFields = { id: '', name: '', daily: '', monthly: '', total: '', markup: '' }

type Settings = Pick<
  EndCustomer,
  'id' | 'name' | 'daily_limit' | 'monthly_limit' | 'total_limit' | 'markup_basis_points'
>

/** The request body for a new customer. Empty fields are left out. */
export function newCustomerBody({ id, name, daily, monthly, total, markup }: CustomerFields): NewEndCustomer {
  return {
    id: id.trim(),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(daily.trim() === '' ? {} : { daily_limit: amountBody(daily.trim()) }),
    ...(monthly.trim() === '' ? {} : { monthly_limit: amountBody(monthly.trim()) }),
    ...(total.trim() === '' ? {} : { total_limit: amountBody(total.trim()) }),
    ...(markup.trim() === '' ? {} : { markup_basis_points: basisPointsIn(markup) }),
  }
}

/** The settings of a customer as the form shows them. */
export function fieldsOfCustomer(customer: Settings): CustomerFields {
  return {
    id: customer.id,
    name: customer.name ?? '',
    daily: usdText(customer.daily_limit),
    monthly: usdText(customer.monthly_limit),
    total: usdText(customer.total_limit),
    markup: percentText(customer.markup_basis_points),
  }
}

/** The request body for the settings that differ from the customer's. */
export function customerChangeBody(customer: Settings, fields: CustomerFields): EndCustomerChange {
  const name = fields.name.trim()
  const markup = basisPointsIn(fields.markup)
  return {
    ...(name === (customer.name ?? '') ? {} : { name: name === '' ? null : name }),
    ...(isSame(customer.daily_limit, fields.daily) ? {} : { daily_limit: optionalAmountBody(fields.daily) }),
    ...(isSame(customer.monthly_limit, fields.monthly) ? {} : { monthly_limit: optionalAmountBody(fields.monthly) }),
    ...(isSame(customer.total_limit, fields.total) ? {} : { total_limit: optionalAmountBody(fields.total) }),
    ...(markup === basisPointsIn(percentText(customer.markup_basis_points)) ? {} : { markup_basis_points: markup }),
  }
}

function isSame(limit: EndCustomer['total_limit'], text: string): boolean {
  const wanted = text.trim()
  return limit === null || wanted === '' ? limit === null && wanted === '' : toNano(wanted) === toNano(limit)
}
