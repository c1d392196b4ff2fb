import { Type } from 'typebox'
import { count, milliseconds, optionalText, section, optionalSecret } from '../setting-kinds.ts'

// Payment settings. docs/payments.md describes the steps to go live.

function percent(fallback: number, description: string) {
  const expects = 'a percentage from 0 to 100 with at most two decimals'
  return Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01, default: fallback, description, expects })
}

export const payments = section({
  feePercent: percent(10, 'Fee added to a top-up, as a percentage of the credit, rounded up to the next cent.'),
  taxPercent: percent(
    5,
    'Tax added to a top-up in a local currency, as a percentage of the credit, rounded up to the next cent.',
  ),
  taxRates: Type.Array(Type.String(), {
    default: [],
    maxItems: 500,
    description:
      'Tax rates as a percentage of the credit, by country in the billing details, such as `DE=19`, or by country and tax ID type, such as `DE:eu_vat=0`. Buyers in other countries pay `taxPercent` in local currencies and no tax in US dollars.',
    expects: 'a list of entries such as `DE=19` or `DE:eu_vat=0`',
  }),
  sellerName: optionalText('Issuer name on receipts and invoices. Unset: the host of `http.publicUrl`.'),
  sellerAddress: optionalText('Issuer address on receipts and invoices. Separate lines with line breaks.'),
  sellerTaxId: optionalText('Issuer tax ID on receipts and invoices.'),
  sellerPrefix: Type.String({
    pattern: '^[A-Z0-9]{1,12}$',
    default: 'WEIR',
    description:
      'Prefix of receipt and invoice numbers, such as `WEIR-2026-000042`. Numbers have no gaps within a prefix and year.',
    expects: 'one to twelve capital letters and digits',
  }),
  invoiceDueDays: count(14, {
    maximum: 365,
    description: 'Payment term for invoices of organizations on monthly billing, in days after the issue date.',
  }),
  invoiceSuspendDays: Type.Integer({
    minimum: 0,
    maximum: 365,
    default: 14,
    description:
      "Days an invoice can be overdue before the organization's spending is suspended until it is paid. 0 never suspends.",
  }),
  stripeSecretKey: optionalSecret(
    'Stripe secret key: `sk_live_…`, or `sk_test_…` for test mode. Enables payments with Stripe. Unset: no Stripe payments.',
  ),
  stripeWebhookSecrets: Type.Array(Type.String({ minLength: 8 }), {
    default: [],
    maxItems: 2,
    description: 'Signing secrets of the webhook at `/api/payments/stripe/webhook`: one, or two during a rotation.',
    isSecret: true,
    expects: 'a list of one or two strings of at least 8 characters',
  }),
  stripeUrl: Type.String({
    pattern: '^https?://[^/]+/?$',
    default: 'https://api.stripe.com',
    description: 'Base URL of the Stripe API. Change it only for tests.',
    expects: 'an http:// or https:// address without a path',
  }),
  epayUrl: Type.Union([Type.String({ pattern: '^https?://[^?#]+/$' }), Type.Null()], {
    default: null,
    description:
      'Base URL of a payment service that supports the epay protocol, without `submit.php` and `api.php`. Enables payments in a local currency. Unset: no epay payments.',
    expects: 'an http:// or https:// address that ends with a slash',
  }),
  epayMerchantId: optionalText('Your merchant number (`pid`) at the epay service.'),
  epayKey: optionalSecret('Key that signs messages between the gateway and the epay service.'),
  epayType: optionalText(
    'Payment method at the epay service, such as `alipay` or `wxpay`. Unset: the payer chooses on its payment page.',
  ),
  epayCurrency: Type.String({
    pattern: '^[a-z]{3}$',
    default: 'cny',
    description: 'Payment currency at the epay service. `payments.currencies` must include its rate.',
    expects: 'a currency in lower case such as `cny`',
  }),
  currencies: Type.Array(Type.String(), {
    default: [],
    maxItems: 50,
    description:
      'Local currencies accepted in addition to US dollars, each with its rate in units per US dollar, such as `cny=7.25`. Payments in these currencies are taxed.',
    expects: 'a list of entries such as `cny=7.25`',
  }),
  topUpUsdMin: count(5, { description: 'Minimum credit of a top-up, in whole US dollars.' }),
  topUpUsdMax: count(10_000, { description: 'Maximum credit of a top-up, in whole US dollars.' }),
  newAccountDays: Type.Integer({
    minimum: 0,
    maximum: 365,
    default: 7,
    description: 'Number of days a user counts as new for `payments.newAccountUsdMax`. 0 disables that limit.',
  }),
  lookEveryMs: milliseconds(5_000, {
    minimum: 50,
    description: 'Poll interval for orders due for a payment status check, in ms.',
  }),
  newAccountUsdMax: count(500, {
    description: 'Maximum credit that a new user can order per day, in whole US dollars.',
  }),
})
