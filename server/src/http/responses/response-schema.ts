import { Type } from 'typebox'

const wanted = (description: string) => Type.Optional(Type.String({ description }))

export const responseQuerySchema = Type.Object({
  stream: Type.Optional(Type.Boolean({ description: 'Must be false: a stored response cannot be streamed.' })),
})

export const itemQuerySchema = Type.Object({
  limit: wanted('Number of items per page, from 1 to 100. Defaults to 20.'),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Defaults to `desc`, newest first.' })),
  after: wanted('`last_id` of the previous page.'),
})

const itemId = Type.Union([Type.String(), Type.Null()])

export const inputItemsSchema = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object({ id: Type.String(), type: Type.String() }, { $id: 'InputItem', additionalProperties: true }),
      { description: 'The items, as the gateway sent them to the model.' },
    ),
    first_id: itemId,
    last_id: itemId,
    has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
  },
  { $id: 'InputItemList' },
)

export const deletedSchema = Type.Object(
  { id: Type.String(), object: Type.Literal('response'), deleted: Type.Literal(true) },
  { $id: 'DeletedResponse' },
)
