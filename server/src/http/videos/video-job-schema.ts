import { Type } from 'typebox'
import { closed, settledCost } from '../inference/schemas/shapes.ts'
import { ofOrganization, optionalText } from '../schema-types.ts'

export const videoJobSchema = closed('VideoJob', {
  id: Type.String({ description: 'Job ID, prefixed with `vjob_`. Poll `GET /v1/videos/{jobId}` for the status.' }),
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
    Type.Array(Type.String(), { description: 'URLs of the videos, once the job is completed.' }),
  ),
  usage: Type.Optional(closed('VideoUsage', { cost: settledCost })),
  error: Type.Optional(Type.String({ description: 'Why the job failed. Failed jobs are not charged.' })),
})

const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const videoListQuerySchema = Type.Object({
  organization: ofOrganization,
  limit: wanted('Number of jobs per page, from 1 to 100. Defaults to 20.'),
  before: wanted('`next_cursor` of the previous page.'),
  model: wanted('Return only jobs for this model.'),
  status: wanted('Return only jobs with this status: `pending`, `in_progress`, `completed`, or `failed`.'),
})

export const videoListSchema = Type.Object({
  data: Type.Array(videoJobSchema),
  next_cursor: optionalText('Cursor to pass as `before` for the next page. Null on the last page.'),
})
