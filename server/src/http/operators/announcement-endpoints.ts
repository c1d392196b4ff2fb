import { Type } from 'typebox'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Announcements } from '#ports/announcements.ts'
import type { Customers } from '#ports/customers.ts'
import { customerNameSchema } from '../customers/customer-schema.ts'
import type { Endpoint } from '../endpoint.ts'
import { idOf, limitOf, referenceOf } from '../request-values.ts'
import { optionalText } from '../schema-types.ts'

interface AnnouncementDeps {
  readonly announcements: Announcements
  readonly customers: Pick<Customers, 'nameWallets'>
}

const common = { tag: 'Operators', access: 'operators.providers.read', method: 'GET' } as const
const listedMax = 50
const modelsShownMax = 50

/** Which changes customers were told about, and who was told. */
export function announcementEndpoints({ announcements, customers }: AnnouncementDeps): Endpoint[] {
  return [
    {
      ...common,
      name: 'listAnnouncements',
      paths: ['/api/admin/catalogue/announcements'],
      summary: 'List announcements of changed prices and retirements',
      reply: {
        status: 200,
        description: `The newest ${listedMax} announcements, newest first.`,
        schema: announcementsSchema,
      },
      handle: async () => {
        const data = (await announcements.list(listedMax)).map((announcement) => ({
          id: announcement.id,
          kind: announcement.kind,
          created_at: new Date(announcement.createdAtMs).toISOString(),
          finished_at: announcement.finishedAtMs === null ? null : new Date(announcement.finishedAtMs).toISOString(),
          model_count: announcement.models.length,
          models: announcement.models.slice(0, modelsShownMax),
          customers: announcement.customers,
          emails: announcement.mails,
        }))
        return { body: { data } }
      },
    },
    {
      ...common,
      name: 'listToldCustomers',
      paths: ['/api/admin/catalogue/announcements/:announcementId/customers'],
      summary: 'List the customers that an announcement told',
      query: toldQuery,
      reply: { status: 200, description: 'A page of customers, by wallet.', schema: toldSchema },
      errors: ['malformedRequest', 'notFound'],
      handle: async (request) => {
        const id = referenceOf(request, 'announcementId')
        const limit = limitOf(request.query, { fallback: 50, max: 200 })
        const after = idOf(request.query, 'after', 'a next_cursor of this list')
        const found = isUuid(id) ? await announcements.listTold(id, { after, limit: limit + 1 }) : null
        if (found === null) throw new GatewayError('notFound', { message: 'Announcement not found.' })
        const page = found.slice(0, limit)
        const names = await customers.nameWallets(page.map(({ walletId }) => walletId))
        const data = page.map(({ walletId, models, mails, toldAtMs }) => {
          const { kind, id: ownerId, name } = names.get(walletId) ?? {}
          return {
            wallet_id: walletId,
            customer: kind === undefined ? null : { kind, id: ownerId, name },
            model_count: models.length,
            models: models.slice(0, modelsShownMax),
            emails: mails,
            told_at: new Date(toldAtMs).toISOString(),
          }
        })
        return { body: { data, next_cursor: found.length > limit ? (page.at(-1)?.walletId ?? null) : null } }
      },
    },
  ]
}

const modelCount = Type.Integer({ description: 'Number of models.' })

const announcementsSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        kind: Type.Enum(['change', 'reminder'], {
          description: '`change`: prices or retirement dates have changed. `reminder`: models retire within 7 days.',
        }),
        created_at: Type.String({ format: 'date-time' }),
        finished_at: optionalText(
          'When the last customer was told, in ISO 8601 format. Null while a worker tells them.',
        ),
        model_count: modelCount,
        models: Type.Array(Type.String(), { description: 'Model IDs, at most 50.' }),
        customers: Type.Integer({ description: 'Customers told so far.' }),
        emails: Type.Integer({ description: 'Emails queued so far.' }),
      },
      { $id: 'Announcement' },
    ),
  ),
})

const toldQuery = Type.Object({
  after: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.String({ description: 'Customers per page, from 1 to 200. Defaults to 50.' })),
})

const toldSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        wallet_id: Type.String({ format: 'uuid' }),
        customer: customerNameSchema,
        model_count: modelCount,
        models: Type.Array(Type.String(), { description: 'IDs of the models that the customer used, at most 50.' }),
        emails: Type.Integer({ description: 'Emails queued for the customer.' }),
        told_at: Type.String({ format: 'date-time' }),
      },
      { $id: 'ToldCustomer' },
    ),
  ),
  next_cursor: optionalText('Pass it as `after` to get the next page. Null on the last page.'),
})
