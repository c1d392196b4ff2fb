import { Type } from 'typebox'
import { paymentSources } from '#domain/payments/top-up.ts'
import { optionalText } from '../schema-types.ts'
import { namedCustomer } from './name-customers.ts'

const moment = Type.String({ description: 'Time as an ISO 8601 string.' })

export const dispute = Type.Object(
  {
    id: Type.String({ description: "The provider's ID." }),
    provider: Type.Enum([...paymentSources]),
    top_up_id: Type.String({ format: 'uuid', description: 'The disputed order.' }),
    customer: namedCustomer,
    status: Type.String({
      description: "In the provider's words, such as `needs_response`, `under_review` or `lost`.",
    }),
    open: Type.Boolean({ description: 'Whether the bank has not decided yet.' }),
    reason: Type.String({ description: "In the provider's words, such as `fraudulent`." }),
    amount: Type.String({ description: 'Disputed amount as a decimal in the payment currency.' }),
    currency: Type.String(),
    evidence_due_at: optionalText('Until when evidence can be sent. Null if the bank expects none.'),
    created_at: moment,
  },
  { $id: 'Dispute' },
)

export const disputeListSchema = Type.Object({ data: Type.Array(dispute), has_more: Type.Boolean() })

export const refundReason = Type.Object({
  amount: Type.String({ description: 'Refunded amount as a decimal in the payment currency.' }),
  reason: Type.String(),
  author: optionalText('The operator.'),
  created_at: moment,
})
