import { expect, it } from 'vitest'
import { customerChangeBody, emptyCustomer, fieldsOfCustomer, newCustomerBody } from './customer-body.ts'

const acme = {
  id: 'acme-7',
  name: 'Acme',
  daily_limit: '5.000000001',
  monthly_limit: 50,
  total_limit: null,
  markup_basis_points: 1_500,
} as const
const fields = fieldsOfCustomer(acme)

it('shows every digit of the limits', () => {
  expect(fields).toEqual({ id: 'acme-7', name: 'Acme', daily: '5.000000001', monthly: '50', total: '', markup: '15' })
  expect(fieldsOfCustomer({ ...acme, name: null }).name).toBe('')
})

it.each([
  ['only an id', { id: ' acme-7 ' }, '{"id":"acme-7"}'],
  ['a name', { id: 'a', name: ' Ann ' }, '{"id":"a","name":"Ann"}'],
  ['a daily limit', { id: 'a', daily: ' 1.123456789 ' }, '{"id":"a","daily_limit":1.123456789}'],
  ['a monthly limit', { id: 'a', monthly: '2' }, '{"id":"a","monthly_limit":2}'],
  ['a markup', { id: 'a', markup: '2.5' }, '{"id":"a","markup_basis_points":250}'],
  ['a total limit of zero', { id: 'a', total: '0' }, '{"id":"a","total_limit":0}'],
])('creates a customer with %s', (_name, given, body) => {
  expect(JSON.stringify(newCustomerBody({ ...emptyCustomer, ...given }))).toBe(body)
})

it.each([
  ['nothing', {}, '{}'],
  ['the same values written otherwise', { name: ' Acme', daily: ' 5.000000001 ', monthly: '50.00' }, '{}'],
  ['another name', { name: 'Acme Mill' }, '{"name":"Acme Mill"}'],
  ['no name', { name: ' ' }, '{"name":null}'],
  ['a new limit, digit by digit', { daily: '7.123456789' }, '{"daily_limit":7.123456789}'],
  ['a limit where there was none', { total: '100' }, '{"total_limit":100}'],
  ['another markup', { markup: '0' }, '{"markup_basis_points":0}'],
  ['the default markup', { markup: ' ' }, '{"markup_basis_points":null}'],
  ['no limits', { daily: '', monthly: ' ' }, '{"daily_limit":null,"monthly_limit":null}'],
])('sends %s', (_name, change, body) => {
  expect(JSON.stringify(customerChangeBody(acme, { ...fields, ...change }))).toBe(body)
})
