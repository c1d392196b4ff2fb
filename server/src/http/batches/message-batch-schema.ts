import { Type } from 'typebox'

const time = Type.Union([Type.String(), Type.Null()])
const count = Type.Integer()

export const newMessageBatchSchema = Type.Object({
  requests: Type.Array(
    Type.Object({
      custom_id: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' }),
      params: Type.Object({}, { additionalProperties: true, description: 'A request body of `POST /v1/messages`.' }),
    }),
    { minItems: 1, maxItems: 50_000 },
  ),
})

export const messageBatchSchema = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('message_batch'),
    processing_status: Type.Enum(['in_progress', 'canceling', 'ended']),
    request_counts: Type.Object({
      processing: count,
      succeeded: count,
      errored: count,
      canceled: count,
      expired: count,
    }),
    created_at: Type.String(),
    expires_at: Type.String(),
    ended_at: time,
    cancel_initiated_at: time,
    archived_at: Type.Null(),
    results_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Path of the results. Null until the batch has ended.',
    }),
  },
  { $id: 'MessageBatch' },
)

export const messageBatchListSchema = Type.Object({
  data: Type.Array(messageBatchSchema),
  has_more: Type.Boolean(),
  first_id: time,
  last_id: time,
})

export const deletedMessageBatchSchema = Type.Object({
  id: Type.String(),
  type: Type.Literal('message_batch_deleted'),
})

export const messageBatchListQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 20 })),
  after_id: Type.Optional(Type.String({ description: 'ID of a batch. Returns the next older batches.' })),
  before_id: Type.Optional(Type.String({ description: 'ID of a batch. Returns the next newer batches.' })),
})
