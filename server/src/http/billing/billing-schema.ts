import { Type } from 'typebox'
import { documentKinds } from '#domain/billing/billing-document.ts'
import { optionalText, usd } from '../schema-types.ts'

const wanted = (description: string) => Type.Optional(Type.String({ description }))

const profileFields = {
  name: Type.String({ description: 'The person or company that is billed; at most 200 characters' }),
  address: Type.String({ description: 'At most 500 characters in at most 6 lines; may be empty' }),
  country: optionalText('Two capital letters (ISO 3166-1), such as `DE`. It decides the tax'),
  tax_id_kind: optionalText('What the tax id is, such as `eu_vat`; null without one'),
  tax_id: optionalText('As the authority has given it; null without one'),
  email: optionalText('Where documents are mailed to; null: to the owner of the account'),
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
    description: 'Null: the owner has not said anything yet',
  }),
})

const documentFields = {
  number: Type.String({ description: 'Without gaps for each seller and year, such as `WEIR-2026-000042`' }),
  kind: Type.Enum([...documentKinds]),
  wallet_id: Type.String({ format: 'uuid' }),
  top_up_id: optionalText('The order that it tells of; null for an invoice'),
  currency: Type.String({ description: 'In lower case, such as `usd`' }),
  total: Type.Number({ description: 'In the currency; of a credit note, below zero' }),
  total_usd: usd('The same as it was booked'),
  issued_at: Type.String({ description: 'ISO 8601' }),
  sha256: Type.String({ description: 'Of the snapshot’s text, in hexadecimal' }),
  due_at: optionalText('When an invoice is due; null for other documents'),
  paid_at: optionalText('When an invoice was paid; null again where the payment went back'),
  suspends: Type.Boolean({ description: 'Whether the organization can spend no more until this invoice is paid' }),
}

const billingDocument = Type.Object(documentFields, { $id: 'BillingDocument' })

export const documentListSchema = Type.Object({
  data: Type.Array(billingDocument),
  next_cursor: optionalText('For `before`; null on the last page'),
})

export const documentSchema = Type.Object({
  data: Type.Object(
    {
      ...documentFields,
      snapshot: Type.String({
        description:
          'JSON of all that the document shows, as it was issued: seller, buyer, tax ids, lines, rates, totals, order. Its bytes are what is hashed',
      }),
    },
    { $id: 'IssuedDocument' },
  ),
})

const page = {
  limit: wanted('Documents on a page, 1 to 100; 20 if not given'),
  before: wanted('The `next_cursor` of the page before'),
  kind: wanted(`One of ${documentKinds.map((kind) => `\`${kind}\``).join(', ')}`),
}

export const documentQuerySchema = Type.Object(page)

export const operatedDocumentQuerySchema = Type.Object({
  ...page,
  wallet: wanted("Only of this wallet, by its id, its owner's id, a mail address or an organization's slug"),
})

export const payInvoiceSchema = Type.Object({
  provider: wanted('Who takes the payment, where there are several; the first who takes US dollars if not given'),
})
