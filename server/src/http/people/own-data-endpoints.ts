import { Type } from 'typebox'
import { deletePerson } from '#control/people/delete-person.ts'
import { exportOwnData, type ExportDeps, type OwnRecord } from '#control/people/export-own-data.ts'
import type { SignedInPerson } from '#domain/access/client.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { uuidTimeMs } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { OwnProfile, OwnTransfer } from '#ports/own-data.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointRequest } from '../endpoint.ts'
import { renderOwnRun } from '../runs/run-schema.ts'
import { renderSettings } from '../end-customers/end-customer-schema.ts'
import { renderDocument, renderProfile as renderBillingProfile } from '../billing/render-document.ts'
import { renderListedGeneration } from '../generations/generation-list-endpoint.ts'
import { renderRefusal } from '../generations/refusal-entry.ts'
import { renderKey } from '../keys/render-key.ts'
import { renderTopUp } from '../payments/render-top-up.ts'
import { requireFreshSession } from '../require-fresh-session.ts'

const common = { tag: 'Account', access: 'account.own' } as const

/** Export and deletion of a person's data. */
export function ownDataEndpoints(deps: ExportDeps & { readonly announce: Announce }): Endpoint[] {
  return [
    {
      ...common,
      name: 'exportOwnData',
      method: 'GET',
      paths: ['/api/account/export'],
      summary: 'Export your account data',
      reply: {
        status: 200,
        description:
          'All data stored about you, as one JSON object per line with its `kind`: profile, keys without secrets, your customers, runs, requests, credit orders, receipts, transactions, and audit entries.',
        schema: Type.String(),
        contentTypes: ['application/x-ndjson'],
      },
      errors: ['notFound'],
      handle: async (request) => {
        const batches = exportOwnData(deps, personOf(request), request.nowMs)
        const day = new Date(request.nowMs).toISOString().slice(0, 10)
        return {
          headers: { 'content-disposition': `attachment; filename="weir-${day}.ndjson"`, 'cache-control': 'no-store' },
          stream: { contentType: 'application/x-ndjson; charset=utf-8', chunks: linesOf(batches) },
        }
      },
    },
    {
      ...common,
      name: 'deleteOwnAccount',
      method: 'POST',
      paths: ['/api/account/delete'],
      summary: 'Delete your account',
      description: 'Revokes your keys and forfeits your credit. The ledger keeps the amounts without your identity.',
      body: Type.Object({ email: Type.String({ description: 'Your email address, to confirm the deletion.' }) }),
      reply: {
        status: 204,
        description:
          'The account is deleted. Its keys are revoked, its credit is forfeited, and the ledger keeps amounts without personal data.',
        schema: Type.Null(),
      },
      errors: ['missingRequiredField', 'conflict', 'notFound', 'staleSession'],
      handle: async (request) => {
        requireFreshSession(request)
        const person = personOf(request)
        confirm(request.body, person)
        await deletePerson(deps, person.userId, changeAuthorOf(request))
        return { status: 204 }
      },
    },
  ]
}

function personOf(request: EndpointRequest): SignedInPerson {
  const client = clientOf(request)
  assert(client.kind === 'session', 'an endpoint for people alone is called by one')
  return client.person
}

/** A deleted account cannot be restored, so the email address must confirm the deletion. */
function confirm({ email }: JsonObject, person: SignedInPerson): void {
  if (email === undefined)
    throw new GatewayError('missingRequiredField', { message: 'Send your email address in email to confirm.' })
  if (typeof email === 'string' && email.trim().toLowerCase() === person.email.toLowerCase()) return
  throw malformed('email does not match this account.')
}

async function* linesOf(batches: AsyncIterable<readonly OwnRecord[]>): AsyncGenerator<string> {
  for await (const batch of batches) {
    if (batch.length > 0) yield batch.map((record) => `${JSON.stringify(render(record))}\n`).join('')
  }
}

function render({ kind, record }: OwnRecord): object {
  switch (kind) {
    case 'profile':
      return { kind, ...renderProfile(record) }
    case 'key':
      return { kind, ...renderKey(record) }
    case 'customer':
      return { kind, ...renderSettings(record) }
    case 'run':
      return { kind, ...renderOwnRun(record) }
    case 'generation':
      return { kind, ...renderListedGeneration(record) }
    case 'refusal':
      return { kind, ...renderRefusal(record) }
    case 'order':
      return { kind, ...renderTopUp(record) }
    case 'billing_profile':
      return { kind, ...renderBillingProfile(record) }
    case 'document':
      return { ...renderDocument(record), kind, document: record.kind, snapshot: record.snapshot }
    case 'transfer':
      return { kind, ...renderTransfer(record) }
    case 'audit':
      return { kind, ...record, sequence: Number(record.sequence) }
  }
}

function renderProfile({ createdAtMs, emailVerified, walletId, organizations, ...profile }: OwnProfile): object {
  return {
    ...profile,
    wallet_id: walletId,
    email_verified: emailVerified,
    created_at: new Date(createdAtMs).toISOString(),
    organizations: organizations.map(({ organizationId, joinedAtMs, ...place }) => ({
      organization_id: organizationId,
      ...place,
      joined_at: new Date(joinedAtMs).toISOString(),
    })),
  }
}

function renderTransfer({ id, leg, kind, debit, credit, amount, note }: OwnTransfer): object {
  return {
    id: kind === 'charge' ? publicGenerationId(id) : id,
    leg,
    transfer: kind,
    from: debit,
    to: credit,
    amount_usd: formatUsd(amount),
    note,
    at: new Date(uuidTimeMs(id)).toISOString(),
  }
}
