import { Type } from 'typebox'
import { institutionBounds as bounds, institutionDefaults } from '#domain/institutions/institution-terms.ts'

const optionalCount = (description: string) => Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description })

const eduFields = {
  allowedDomains: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: bounds.domainsMax,
    description: 'Allowed email domains. Domains must match exactly; list subdomains separately.',
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
    description: 'Lifetime of a verification code, in seconds.',
  }),
  maxSessionsPerEmailPerKey: Type.Integer({
    minimum: bounds.maxSessionsPerEmail.min,
    maximum: bounds.maxSessionsPerEmail.max,
    default: institutionDefaults.maxSessionsPerEmail,
  }),
  codesPerNetworkPer15Minutes: Type.Integer({
    minimum: bounds.codesPerNetwork.min,
    maximum: bounds.codesPerNetwork.max,
    default: institutionDefaults.codesPerNetwork,
    description: 'Maximum code requests from one network in 15 minutes: an IPv4 address, or an IPv6 /64.',
  }),
  codesPerHour: Type.Integer({
    minimum: bounds.codesPerHour.min,
    maximum: bounds.codesPerHour.max,
    default: institutionDefaults.codesPerHour,
    description: 'Maximum code requests with this key in an hour.',
  }),
  sessionRequestQuota: optionalCount('Maximum requests per session. Null for no quota.'),
  sessionTokenQuota: optionalCount('Maximum input and output tokens per session. Null for no quota.'),
  sessionSpendQuotaUsd: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
    description: 'Maximum spend per session in USD. Null for no quota.',
  }),
  monthlySpendQuotaUsd: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
    description: 'Maximum spend per person and calendar month (UTC) over all sessions, in USD. Null for no quota.',
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
  createdAt: Type.String({ description: 'Time of creation, as an ISO 8601 string.' }),
  activeSessions: Type.Integer(),
  eduConfig: Type.Object(eduFields, { $id: 'InstitutionTerms' }),
}

export const institutionKeySchema = Type.Object({ data: Type.Object(keyFields, { $id: 'InstitutionKey' }) })

export const createdInstitutionKeySchema = Type.Object({
  data: Type.Object({ ...keyFields, key: Type.String({ description: 'Secret of the key, returned only once.' }) }),
})

export const institutionKeysSchema = Type.Object({
  data: Type.Array(Type.Object(keyFields, { $id: 'InstitutionKey' })),
  total_count: Type.Integer(),
})

export const sessionsQuerySchema = Type.Object({
  email: Type.Optional(Type.String({ description: 'Returns only sessions of this email address.' })),
  status: Type.Optional(Type.String({ description: 'Sessions to return: `active` or `all`. Defaults to `active`.' })),
  limit: Type.Optional(Type.String({ description: 'Sessions per page, from 1 to 200. Defaults to 50.' })),
  offset: Type.Optional(Type.String({ description: 'Number of sessions to skip.' })),
})

export const sessionsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      status: Type.Enum(['active', 'expired', 'revoked']),
      createdAt: Type.String({ description: 'Time of creation, as an ISO 8601 string.' }),
      expiresAt: Type.String({ description: 'Time when the session expires, as an ISO 8601 string.' }),
      revokedAt: Type.Union([Type.String(), Type.Null()], {
        description: 'Time when the session was revoked, as an ISO 8601 string. Null if not revoked.',
      }),
      requests: Type.Object(
        { quota: optionalCount('Maximum requests in the session. Null for no quota.'), used: Type.Integer() },
        {
          description: 'Request quota and usage. Counted only if the session has a request or token quota.',
        },
      ),
      tokens: Type.Object({
        quota: optionalCount('Maximum tokens in the session. Null for no quota.'),
        used: Type.Integer(),
      }),
      spendQuotaUsd: Type.Union([Type.Number(), Type.Null()]),
      monthlySpend: Type.Object(
        {
          quotaUsd: Type.Union([Type.Number(), Type.Null()], { description: 'Null for no quota.' }),
          usedUsd: Type.Number(),
        },
        { description: 'Monthly quota of the person, and what all their sessions spent this month (UTC), in USD.' },
      ),
    }),
  ),
  total_count: Type.Integer(),
})

export const revokedSchema = Type.Object({ revoked: Type.Integer({ description: 'Number of sessions revoked.' }) })
