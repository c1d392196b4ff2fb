import { Type } from 'typebox'
import { operatorRoles } from '#domain/access/operator-roles.ts'

const role = Type.Enum([...operatorRoles])

export const operatorPersonSchema = Type.Object(
  {
    userId: Type.String({ format: 'uuid' }),
    email: Type.String(),
    name: Type.String(),
    role,
    suspended: Type.Boolean(),
    hasSecondFactor: Type.Boolean({
      description: "Whether the account has an authenticator app or a passkey. Without one, the person can't operate.",
    }),
    addedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Operator' },
)

export const operatorListSchema = Type.Object({ data: Type.Array(operatorPersonSchema) }, { $id: 'OperatorList' })

export const newOperatorSchema = Type.Object({
  email: Type.String({ description: 'The verified email address of an existing account.' }),
  role,
})

export const operatorChangeSchema = Type.Object({ role })

export const operatorKeyListSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        name: Type.String(),
        role,
        hint: Type.String({ description: 'The first and last characters of the secret.' }),
        enabled: Type.Boolean(),
        revoked: Type.Boolean(),
        expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
        createdAt: Type.String({ format: 'date-time' }),
        allowedCidrs: Type.Array(Type.String()),
      }),
    ),
  },
  { $id: 'OperatorKeyList' },
)
