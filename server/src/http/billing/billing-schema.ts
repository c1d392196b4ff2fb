import { Type } from 'typebox'
import { documentKinds } from '#domain/billing/billing-document.ts'
import { namedCustomer } from '../payments/name-customers.ts'
import { optionalText, usd } from '../schema-types.ts'

const wanted = (description: string) => Type.Optional(Type.String({ description }))

const profileFields = {
  name: Type.String({ description: 'Name of the billed person or company, at most 200 characters.' }),
  address: Type.String({ description: 'Billing address, at most 500 characters on at most 6 lines. Can be empty.' }),
  country: optionalText('Two-letter ISO 3166-1 country code in upper case, such as `DE`. Determines the tax rate.'),
  tax_id_kind: optionalText('Type of the tax ID, such as `eu_vat`. Null if there is no tax ID.'),
  tax_id: optionalText('Tax ID as issued by the tax authority. Null if there is none.'),
  email: optionalText('Email address that documents are sent to. If null, they are sent to the account owner.'),
}

export const profileInput = Type.Object({
  name: profileFields.name,
  address: Type.Optional(profileFields.address),
  country: Type.Optional(profileFields.country),
  tax_id_kind: Type.Optional(profileFields.tax_id_kind),
  tax_id: Type.Optional(profileFields.tax_id),
  email: Type.Optional(profileFields.email),
})

export const profileSchema = Type.Object({
  data: Type.Union([Type.Object(profileFields, { $id: 'BillingProfile' }), Type.Null()], {
    description: 'The billing details. Null if none have been set.',
  }),
})

const documentFields = {
  number: Type.String({
    description: 'Document number, such as `WEIR-2026-000042`. Numbers have no gaps within a seller and year.',
  }),
  kind: Type.Enum([...documentKinds]),
  wallet_id: Type.String({ format: 'uuid' }),
  top_up_id: optionalText('ID of the order the document is for. Null for an invoice.'),
  currency: Type.String({ description: 'Currency code in lower case, such as `usd`.' }),
  total: Type.Number({ description: "Total in the document's currency. Negative for a credit note." }),
  total_usd: usd('Total as posted to the ledger'),
  issued_at: Type.String({ description: 'Time of issue, as an ISO 8601 string.' }),
  sha256: Type.String({ description: 'SHA-256 hash of the `snapshot` string, in hexadecimal.' }),
  due_at: optionalText('Time when the invoice is due. Null for other documents.'),
  paid_at: optionalText('Time when the invoice was paid. Reset to null if the payment is returned.'),
  suspends: Type.Boolean({
    description: "Whether the organization's spending is suspended until this invoice is paid.",
  }),
}

const billingDocument = Type.Object(documentFields, { $id: 'BillingDocument' })

export const documentListSchema = Type.Object({
  data: Type.Array(billingDocument),
  next_cursor: optionalText('Cursor to pass as `before` for the next page. Null on the last page.'),
})

export const operatedDocumentListSchema = Type.Object({
  data: Type.Array(Type.Object({ ...documentFields, customer: namedCustomer }, { $id: 'OperatedDocument' })),
  next_cursor: optionalText('Cursor to pass as `before` for the next page. Null on the last page.'),
})

export const documentSchema = Type.Object({
  data: Type.Object(
    {
      ...documentFields,
      snapshot: Type.String({
        description:
          'JSON string with the content of the document at the time of issue: seller, buyer, tax IDs, lines, rates, totals and order. `sha256` is the hash of its bytes.',
      }),
    },
    { $id: 'IssuedDocument' },
  ),
})

const page = {
  limit: wanted('Documents per page, from 1 to 100. Defaults to 20.'),
  before: wanted('`next_cursor` of the previous page.'),
  kind: wanted(`Type of document to return: one of ${documentKinds.map((kind) => `\`${kind}\``).join(', ')}.`),
}

export const documentQuerySchema = Type.Object(page)

export const operatedDocumentQuerySchema = Type.Object({
  ...page,
  wallet: wanted(
    "Returns only documents of this wallet. Accepts a wallet ID, its owner's ID, an email address or an organization slug.",
  ),
})

export const payInvoiceSchema = Type.Object({
  provider: wanted('Payment provider to use. Defaults to the first provider that accepts US dollars.'),
})
