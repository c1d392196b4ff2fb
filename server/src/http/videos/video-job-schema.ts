import { Type } from 'typebox'
import { closed, settledCost } from '../inference/schemas/shapes.ts'
import { ofOrganization, optionalText } from '../schema-types.ts'

export const videoJobSchema = closed('VideoJob', {
  id: Type.String({ description: 'vjob_…' }),
  status: Type.Union([
    Type.Literal('pending'),
    Type.Literal('in_progress'),
    Type.Literal('completed'),
    Type.Literal('failed'),
  ]),
  polling_url: Type.String(),
  generation_id: Type.String(),
  model: Type.String(),
  created_at: Type.Integer(),
  completed_at: Type.Optional(Type.Integer()),
  unsigned_urls: Type.Optional(
    Type.Array(Type.String(), { description: 'Where its videos are, once it is completed.' }),
  ),
  usage: Type.Optional(closed('VideoUsage', { cost: settledCost })),
  error: Type.Optional(Type.String({ description: 'Why it failed. Nothing is charged then.' })),
})

const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const videoListQuerySchema = Type.Object({
  organization: ofOrganization,
  limit: wanted('Jobs on a page, 1 to 100; 20 if not given'),
  before: wanted('The `next_cursor` of the page before'),
  model: wanted('The model that was asked for'),
  status: wanted('`pending`, `in_progress`, `completed` or `failed`'),
})

export const videoListSchema = Type.Object({
  data: Type.Array(videoJobSchema),
  next_cursor: optionalText('For `before`; null on the last page'),
})
