import { Type } from 'typebox'
import { institutionBounds as bounds, institutionDefaults } from '#domain/institutions/institution-terms.ts'

const optionalCount = (description: string) => Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description })

const eduFields = {
  allowedDomains: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: bounds.domainsMax,
    description: 'An address must have exactly one of these domains; subdomains are listed by themselves.',
  }),
  sessionTtlSeconds: Type.Integer({
    minimum: bounds.sessionTtlS.min,
    maximum: bounds.sessionTtlS.max,
    default: institutionDefaults.sessionTtlS,
  }),
  verificationTtlSeconds: Type.Integer({
    minimum: bounds.verificationTtlS.min,
    maximum: bounds.verificationTtlS.max,
    default: institutionDefaults.verificationTtlS,
    description: 'How long a code is valid.',
  }),
  maxSessionsPerEmailPerKey: Type.Integer({
    minimum: bounds.maxSessionsPerEmail.min,
    maximum: bounds.maxSessionsPerEmail.max,
    default: institutionDefaults.maxSessionsPerEmail,
  }),
  sessionRequestQuota: optionalCount('Requests of one session; null for no quota'),
  sessionTokenQuota: optionalCount('Tokens of one session, input and output; null for no quota'),
  sessionSpendQuotaUsd: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
    description: 'USD that one session may spend; null for no quota',
  }),
}

const name = Type.String({ minLength: 1, maxLength: 200 })

export const newInstitutionKeySchema = Type.Object({
  name,
  eduConfig: Type.Partial(Type.Object(eduFields, { additionalProperties: false })),
})

export const institutionKeyChangeSchema = Type.Partial(
  Type.Object({
    name,
    enabled: Type.Boolean(),
    eduConfig: Type.Partial(Type.Object(eduFields, { additionalProperties: false })),
  }),
)

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  keyType: Type.Literal('institution'),
  keyPrefix: Type.String(),
  keySuffix: Type.String(),
  enabled: Type.Boolean(),
  createdAt: Type.String({ description: 'ISO 8601' }),
  activeSessions: Type.Integer(),
  eduConfig: Type.Object(eduFields, { $id: 'InstitutionTerms' }),
}

export const institutionKeySchema = Type.Object({ data: Type.Object(keyFields, { $id: 'InstitutionKey' }) })

export const createdInstitutionKeySchema = Type.Object({
  data: Type.Object({ ...keyFields, key: Type.String({ description: 'The secret; shown this once' }) }),
})

export const institutionKeysSchema = Type.Object({
  data: Type.Array(Type.Object(keyFields, { $id: 'InstitutionKey' })),
  total_count: Type.Integer(),
})

export const sessionsQuerySchema = Type.Object({
  email: Type.Optional(Type.String({ description: 'Only sessions of this address' })),
  status: Type.Optional(Type.String({ description: '`active` (default) or `all`' })),
  limit: Type.Optional(Type.String({ description: '1 to 200; 50 if left out' })),
  offset: Type.Optional(Type.String({ description: 'How many to skip' })),
})

export const sessionsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      status: Type.Enum(['active', 'expired', 'revoked']),
      createdAt: Type.String({ description: 'ISO 8601' }),
      expiresAt: Type.String({ description: 'ISO 8601' }),
      revokedAt: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601' }),
      requests: Type.Object(
        { quota: optionalCount('Null for none'), used: Type.Integer() },
        {
          description: 'Counted only where the session has a quota of requests or tokens',
        },
      ),
      tokens: Type.Object({ quota: optionalCount('Null for none'), used: Type.Integer() }),
      spendQuotaUsd: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
  total_count: Type.Integer(),
})

export const revokedSchema = Type.Object({ revoked: Type.Integer({ description: 'How many sessions ended' }) })
