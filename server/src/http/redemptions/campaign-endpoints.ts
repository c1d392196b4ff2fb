import { Type } from 'typebox'
import { changeCampaign } from '#control/redemptions/change-campaign.ts'
import { campaignCsv } from '#control/redemptions/campaign-csv.ts'
import { campaignFingerprint, createCampaign } from '#control/redemptions/create-campaign.ts'
import { createFieldReader, type FieldReader, parseOptionalMoment, readField } from '#control/read-fields.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { usdOf } from '#domain/money/usd-of.ts'
import type { Campaign, CampaignTerms } from '#domain/payments/campaign.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { Redemptions } from '#ports/redemptions.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { idempotencyKeyOf } from '../idempotency-key-of.ts'
import { limitOf, type Query, referenceOf, refuseValue, textOf } from '../request-values.ts'
import {
  campaignChangeSchema,
  campaignListSchema,
  campaignQuerySchema,
  campaignSchema,
  newCampaignSchema,
} from './redemption-schema.ts'

const common = { tag: 'Operators', access: 'operators.codes' } as const
const path = '/api/admin/redemption-campaigns'
const pageSizes = { fallback: 20, max: 100 }

/** Redemption code campaigns, for operators. */
export function campaignEndpoints(redemptions: Redemptions): Endpoint[] {
  return [
    createEndpoint(redemptions),
    {
      ...common,
      access: 'operators.codes.read',
      name: 'listCampaigns',
      method: 'GET',
      paths: [path],
      summary: 'List redemption campaigns',
      query: campaignQuerySchema,
      reply: { status: 200, description: 'A page of campaigns, newest first.', schema: campaignListSchema },
      errors: ['malformedRequest'],
      handle: async ({ query }) => {
        const limit = limitOf(query, pageSizes)
        // One row more than requested tells whether there is a next page.
        const found = await redemptions.list({ before: beforeOf(query), limit: limit + 1 })
        const page = found.slice(0, limit)
        const nextCursor = found.length > limit ? (page.at(-1)?.id ?? null) : null
        return { body: { data: page.map(renderCampaign), nextCursor } }
      },
    },
    {
      ...common,
      name: 'changeCampaign',
      method: 'PATCH',
      paths: [`${path}/:campaignId`],
      summary: 'Enable or disable a redemption campaign',
      body: campaignChangeSchema,
      reply: { status: 200, description: 'The updated campaign.', schema: campaignSchema },
      errors: ['notFound'],
      handle: async (request) => {
        const enabled = createFieldReader(request.body).flag('enabled')
        const change = { reference: referenceOf(request, 'campaignId'), enabled }
        return { body: renderCampaign(await changeCampaign(redemptions, change, changeAuthorOf(request))) }
      },
    },
  ]
}

function createEndpoint(redemptions: Redemptions): Endpoint {
  return {
    ...common,
    name: 'createCampaign',
    method: 'POST',
    paths: [path],
    summary: 'Create a redemption campaign and its codes',
    description: 'A repeated request with the same `Idempotency-Key` does not create another campaign.',
    takesIdempotencyKey: true,
    body: newCampaignSchema,
    reply: {
      status: 201,
      description:
        'The codes, one per line. They are stored as hashes and returned only once. A retry with the same Idempotency-Key creates no second campaign and returns 409 with the campaign ID.',
      schema: Type.String(),
      contentTypes: ['text/csv'],
    },
    errors: ['missingRequiredField', 'conflict'],
    handle: async (request) => {
      const terms = readTerms(request.body)
      const asked = campaignFingerprint(terms)
      const key = idempotencyKeyOf(request, { action: 'createCampaign', asked })
      const made = await createCampaign(redemptions, { terms, request: key }, changeAuthorOf(request))
      const headers = {
        'content-disposition': `attachment; filename="codes-${made.campaign.id}.csv"`,
        'cache-control': 'no-store',
      }
      return {
        status: 201,
        headers,
        stream: { contentType: 'text/csv; charset=utf-8', chunks: inChunks(campaignCsv(made)) },
      }
    },
  }
}

const linesAtOnce = 500

async function* inChunks(lines: Iterable<string>): AsyncGenerator<string> {
  let some: string[] = []
  for (const line of lines) {
    some.push(line)
    if (some.length < linesAtOnce) continue
    yield some.join('')
    some = []
  }
  yield some.join('')
}

function readTerms(body: JsonObject): CampaignTerms {
  const reader = createFieldReader(body)
  const amount = usdOf(body.amountUsd)
  if (amount === undefined) throw malformed('amountUsd must be a number in USD with at most nine decimals.')
  const codes = reader.whole('codes')
  if (codes === undefined) throw malformed('codes is required.')
  const usesPerCode = reader.whole('usesPerCode') ?? 1
  return {
    name: reader.requiredText('name').trim(),
    amount,
    codes,
    usesPerCode,
    redemptionsMax: limitIn(body, reader, 'redemptionsMax') ?? codes * usesPerCode,
    perPersonMax: limitIn(body, reader, 'perPersonMax', 1),
    perWalletMax: limitIn(body, reader, 'perWalletMax', 1),
    endsAtMs: readField(body, { endsAt: parseOptionalMoment }) ?? null,
    creditExpiresAtMs: readField(body, { creditExpiresAt: parseOptionalMoment }) ?? null,
  }
}

/** Null means no limit. */
function limitIn(body: JsonObject, reader: FieldReader, field: string, usual: number | null = null): number | null {
  return body[field] === null ? null : (reader.whole(field) ?? usual)
}

function beforeOf(query: Query): Uuid | null {
  const text = textOf(query, 'before')
  if (text !== null && !isUuid(text)) throw refuseValue('before', 'a nextCursor from a previous page')
  return text
}

function renderCampaign({ amount, endsAtMs, creditExpiresAtMs, createdAtMs, ...campaign }: Campaign): JsonObject {
  return {
    ...campaign,
    amountUsd: usdJson(amount),
    endsAt: isoOf(endsAtMs),
    creditExpiresAt: isoOf(creditExpiresAtMs),
    createdAt: new Date(createdAtMs).toISOString(),
  }
}

function isoOf(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
