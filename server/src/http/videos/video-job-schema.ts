import { Type } from 'typebox'
import { closed, settledCost } from '../inference/schemas/shapes.ts'

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
