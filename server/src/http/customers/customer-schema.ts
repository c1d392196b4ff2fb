import { Type } from 'typebox'
import { roles } from '#domain/access/roles.ts'
import { billingModes } from '#domain/organizations/organization.ts'
import { topUpSchema } from '../payments/payment-schema.ts'
import { optionalCount, optionalText, optionalUsd, usd } from '../schema-types.ts'
import { walletSchema } from '../wallets/wallet-schema.ts'

const wanted = (description: string) => Type.Optional(Type.String({ description }))
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const uuid = Type.String({ format: 'uuid' })
const moment = Type.String({ description: 'Time as an ISO 8601 string.' })
const kind = Type.Enum(['user', 'organization'])

/** The customer of a wallet, in lists for operators. */
export const customerNameSchema = nullable(
  Type.Object(
    {
      kind,
      id: uuid,
      name: optionalText('Name of the organization or email address of the user. Null if the user was deleted.'),
    },
    { $id: 'CustomerName', description: 'The customer that the wallet belongs to.' },
  ),
)

const listingFields = {
  kind,
  id: uuid,
  wallet_id: uuid,
  name: Type.String(),
  address: optionalText('Email address of the user or slug of the organization. Null if the user was deleted.'),
  suspended_at: optionalText('Time of suspension as an ISO 8601 string. Null if not suspended.'),
  created_at: moment,
}

export const customerQuerySchema = Type.Object({
  q: wanted(
    'Search text: the beginnings of words in the email address, slug and name, an ID of a user, organization, wallet or key, or the shown part of a key such as `sk-weir-Ab12`.',
  ),
  kind: wanted('Returns only customers of this kind: `user` or `organization`.'),
  suspended: wanted('If `true`, returns only suspended customers; if `false`, only active ones.'),
  before: wanted('`next_cursor` of the previous page.'),
  limit: wanted('Customers per page, from 1 to 100. Defaults to 20.'),
})

export const customerListSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        ...listingFields,
        balance: usd('Balance of the wallet'),
        held: usd('Amount on hold for requests in progress'),
        available: usd('Available credit for new requests'),
      },
      { $id: 'CustomerListing' },
    ),
  ),
  next_cursor: optionalText('Cursor to pass as `before` for the next page. Null on the last page.'),
})

const note = Type.Object(
  {
    id: uuid,
    text: Type.String(),
    author: optionalText("Name of the operator's key or email address of the operator. Null for the command line."),
    created_at: moment,
  },
  { $id: 'CustomerNote' },
)

export const newNoteSchema = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 4_000, description: 'The note. Customers never see it.' }),
})

export const noteSchema = Type.Object({ data: note })

const key = Type.Object(
  {
    id: uuid,
    name: Type.String(),
    shown: Type.String({ description: 'First and last characters of the key.' }),
    type: Type.String(),
    enabled: Type.Boolean(),
    limit: optionalUsd('Spend limit of the key'),
    period: optionalText('Period of the spend limit. Null for the lifetime of the key.'),
    expires_at: optionalText('Expiry as an ISO 8601 string. Null if the key never expires.'),
    revoked_at: optionalText('Time of deletion as an ISO 8601 string. Null if the key was not deleted.'),
    created_at: moment,
  },
  { $id: 'CustomerKey' },
)

const signIn = Type.Object(
  {
    email_verified: Type.Boolean(),
    ways: Type.Array(Type.String(), { description: '`password` or the identity provider, such as `google`.' }),
    passkeys: Type.Integer(),
    second_factor: Type.Boolean(),
    sessions: Type.Integer({ description: 'Number of sessions that have not expired.' }),
    last_seen_at: optionalText('Time when a session was last renewed, as an ISO 8601 string.'),
  },
  { description: 'How the user signs in. Null for an organization.' },
)

const terms = Type.Object(
  {
    plan: Type.String(),
    billing: Type.Enum([...billingModes]),
    seats: optionalCount('Maximum number of members. Null if unlimited.'),
    weekly_budget: optionalUsd('Weekly budget'),
    monthly_budget: optionalUsd('Monthly budget'),
  },
  { description: 'Terms and budgets of the organization. Null for a user.' },
)

export const customerSchema = Type.Object({
  data: Type.Object(
    {
      ...listingFields,
      wallet: walletSchema.properties.data,
      sign_in: nullable(signIn),
      terms: nullable(terms),
      breaker: Type.Object(
        {
          enabled: nullable(Type.Boolean()),
          minute: optionalUsd('Limit per minute'),
          hour: optionalUsd('Limit per hour'),
        },
        { description: 'The spend breaker. Null means the default of the installation.' },
      ),
      keys: Type.Array(key, { description: 'Up to 50 keys, active ones first. Playground keys are left out.' }),
      key_count: Type.Integer(),
      places: Type.Array(
        Type.Object({
          id: uuid,
          name: optionalText('Name or email address.'),
          role: Type.Enum([...roles]),
          suspended: Type.Boolean(),
        }),
        { description: 'Up to 50 organizations of the user, or members of the organization.' },
      ),
      place_count: Type.Integer(),
      payments: Type.Array(topUpSchema.properties.data, { description: 'The latest credit orders.' }),
      notes: Type.Array(note, { description: 'Notes of operators, newest first. Customers never see them.' }),
    },
    { $id: 'Customer' },
  ),
})
