import { Type } from 'typebox'
import { count, milliseconds, optionalText, section } from '../setting-kinds.ts'

// How credit is paid for. docs/payments.md says what an operator does to go live.

function percent(fallback: number, description: string) {
  const expects = 'a percentage from 0 to 100 with at most two decimals'
  return Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01, default: fallback, description, expects })
}

export const payments = section({
  feePercent: percent(10, 'Fee on top of a top-up, in percent of the credit, rounded up to a cent.'),
  taxPercent: percent(5, 'Tax on top of a top-up in a local currency, in percent of the credit, rounded up to a cent.'),
  taxRates: Type.Array(Type.String(), {
    default: [],
    maxItems: 500,
    description:
      'Tax of buyers by the country of their billing profile, such as `DE=19`, and by the kind of their tax id, such as `DE:eu_vat=0`, in percent of the credit. Other countries pay `taxPercent` in local currencies and none in US dollars.',
    expects: 'a list of entries such as `DE=19` or `DE:eu_vat=0`',
  }),
  sellerName: optionalText('Who issues receipts and invoices. Unset: the host of `http.publicUrl`.'),
  sellerAddress: optionalText('The address on receipts and invoices; its lines are separated by line ends.'),
  sellerTaxId: optionalText('The tax id on receipts and invoices.'),
  sellerPrefix: Type.String({
    pattern: '^[A-Z0-9]{1,12}$',
    default: 'WEIR',
    description:
      'What their numbers begin with, such as `WEIR-2026-000042`. Numbers have no gaps for each prefix and year.',
    expects: 'one to twelve capital letters and digits',
  }),
  invoiceDueDays: count(14, {
    maximum: 365,
    description: 'When an invoice of an organization that is billed monthly is due, after the day it is issued. Days.',
  }),
  invoiceSuspendDays: Type.Integer({
    minimum: 0,
    maximum: 365,
    default: 14,
    description:
      'How long it may be overdue before the organization can spend no more until it is paid; 0: any time. Days.',
  }),
  stripeSecretKey: optionalText(
    'Takes payments with Stripe: `sk_live_…`, or `sk_test_…` for its test mode. Unset: no payments. Secret.',
  ),
  stripeWebhookSecrets: Type.Array(Type.String({ minLength: 8 }), {
    default: [],
    maxItems: 2,
    description:
      'The signing secrets of the webhook at `/api/payments/stripe/webhook`: one, or two while it is replaced. Secret.',
    expects: 'a list of one or two strings of at least 8 characters',
  }),
  stripeUrl: Type.String({
    pattern: '^https?://[^/]+/?$',
    default: 'https://api.stripe.com',
    description: 'Where Stripe is asked; another address is for tests.',
    expects: 'an http:// or https:// address without a path',
  }),
  epayUrl: Type.Union([Type.String({ pattern: '^https?://[^?#]+/$' }), Type.Null()], {
    default: null,
    description:
      'Takes payments in a local currency with a service that speaks the epay protocol: the address in front of its `submit.php` and `api.php`. Unset: none.',
    expects: 'an http:// or https:// address that ends with a slash',
  }),
  epayMerchantId: optionalText('Our merchant number (`pid`) at the epay service.'),
  epayKey: optionalText('The key that signs what we and the epay service say to one another. Secret.'),
  epayType: optionalText('How people pay there, such as `alipay` or `wxpay`. Unset: they choose on its page.'),
  epayCurrency: Type.String({
    pattern: '^[a-z]{3}$',
    default: 'cny',
    description: 'What is paid in at the epay service; `payments.currencies` has its rate.',
    expects: 'a currency in lower case such as `cny`',
  }),
  currencies: Type.Array(Type.String(), {
    default: [],
    maxItems: 50,
    description:
      'Local currencies beside US dollars, each with its rate, such as `cny=7.25`: units for one US dollar. Tax is added to them.',
    expects: 'a list of entries such as `cny=7.25`',
  }),
  topUpUsdMin: count(5, { description: 'The least credit of a top-up, in whole US dollars.' }),
  topUpUsdMax: count(10_000, { description: 'The most credit of a top-up, in whole US dollars.' }),
  newAccountDays: Type.Integer({
    minimum: 0,
    maximum: 365,
    default: 7,
    description: 'How long a person counts as new; 0 turns the limit off. Days.',
  }),
  lookEveryMs: milliseconds(5_000, {
    minimum: 50,
    description: 'How often a worker looks for orders that are due to be asked about.',
  }),
  newAccountUsdMax: count(500, {
    description: 'The most credit that a new person may order in a day, in whole US dollars.',
  }),
})
