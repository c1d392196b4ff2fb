import { Type } from 'typebox'
import type { AnnouncedModel } from '#domain/catalogue/announced-model.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CustomerNotice } from '#ports/announcements.ts'
import { optionalText } from '../schema-types.ts'

export function renderNotice(notice: CustomerNotice): JsonObject {
  return {
    id: notice.id,
    kind: notice.kind,
    announced_at: new Date(notice.announcedAtMs).toISOString(),
    dismissed: notice.isDismissed,
    model_count: notice.modelCount,
    models: notice.models.map(renderAnnouncedModel),
  }
}

function renderAnnouncedModel({ id, name, prices, retirement }: AnnouncedModel): JsonObject {
  return {
    id,
    name,
    prices: prices.map(({ isPerMillion, provider, variant, unit, when, from, to }) => {
      return { provider, variant, unit, when, per: isPerMillion ? 'million' : 'one', from, to }
    }),
    retirement: retirement === null ? null : { from: retirement.from, to: retirement.to },
  }
}

const price = Type.Object({
  provider: Type.String(),
  variant: Type.String({ description: 'Region or service tier. Empty for the plain offer.' }),
  unit: Type.String({ description: 'Unit, as in a catalogue file.', examples: ['prompt', 'per_image_output'] }),
  when: Type.String({ description: 'Condition of the price. Empty for the plain price.' }),
  per: Type.Enum(['million', 'one'], { description: 'Whether the prices are per million tokens or per unit.' }),
  from: optionalText('Price before, in USD, as an exact decimal string. Null if there was none.'),
  to: optionalText('Price now, in USD, as an exact decimal string. Null if it is no longer offered.'),
})

const model = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prices: Type.Array(price, { description: 'The prices that changed.' }),
    retirement: Type.Union(
      [
        Type.Object({
          from: optionalText('Date before. Null if there was none. The same as `to` in a reminder.'),
          to: optionalText('Date from which requests are rejected. Null if the model no longer retires.'),
        }),
        Type.Null(),
      ],
      { description: 'The retirement date. Null if it did not change.' },
    ),
  },
  { $id: 'AnnouncedModel' },
)

export const noticesSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        kind: Type.Enum(['change', 'reminder'], {
          description: '`change`: prices or retirement dates have changed. `reminder`: models retire within 7 days.',
        }),
        announced_at: Type.String({ format: 'date-time' }),
        dismissed: Type.Boolean({ description: 'Whether the calling person has dismissed the notice.' }),
        model_count: Type.Integer({ description: 'How many models the notice is about.' }),
        models: Type.Array(model, { description: 'Models that the customer used in the 30 days before, at most 50.' }),
      },
      { $id: 'Notice' },
    ),
  ),
})
