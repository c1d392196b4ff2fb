import { Type } from 'typebox'
import { readProfile } from '#control/billing/read-profile.ts'
import { openWalletToRead } from '#control/wallets/open-wallet-to-read.ts'
import { openWalletToPay } from '#control/wallets/open-wallet-to-pay.ts'
import { type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import { type BillingDocument, documentKinds } from '#domain/billing/billing-document.ts'
import { documentPolicy, htmlOf } from '#domain/billing/document-html.ts'
import { layoutOf } from '#domain/billing/document-layout.ts'
import { documentPdf } from '#domain/billing/document-pdf.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { BillingDocuments, BillingProfiles, DocumentQuery } from '#ports/billing.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointReply, type EndpointRequest } from '../endpoint.ts'
import { limitOf, type Query, referenceOf, refuseValue, textOf } from '../request-values.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import {
  documentListSchema,
  documentQuerySchema,
  documentSchema,
  profileInput,
  profileSchema,
} from './billing-schema.ts'
import { renderDocument, renderProfile } from './render-document.ts'

interface BillingEndpointDeps {
  readonly profiles: BillingProfiles
  readonly documents: BillingDocuments
  readonly memberships: Memberships
}

const reads = { method: 'GET', tag: 'Account', access: 'wallet.read' } as const
const pageSizes = { fallback: 20, max: 100 }

/** Receipts, credit notes and invoices of a wallet, and its billing details. */
export function billingEndpoints(deps: BillingEndpointDeps): Endpoint[] {
  return [readProfileEndpoint(deps), putProfileEndpoint(deps), listEndpoint(deps), ...documentEndpoints(deps)]
}

function open({ memberships }: BillingEndpointDeps, request: EndpointRequest): Promise<Uuid> {
  return openWalletToRead(memberships, clientOf(request), referenceOf(request, 'walletId'))
}

function readProfileEndpoint(deps: BillingEndpointDeps): Endpoint {
  return {
    ...reads,
    name: 'getBillingProfile',
    paths: ['/api/wallets/:walletId/billing-profile'],
    summary: 'Get the billing details of a wallet',
    reply: { status: 200, description: 'The billing details.', schema: profileSchema },
    errors: ['notFound'],
    handle: async (request) => ({
      body: { data: renderProfile(await deps.profiles.find(await open(deps, request))) },
    }),
  }
}

function putProfileEndpoint(deps: BillingEndpointDeps): Endpoint {
  return {
    name: 'putBillingProfile',
    method: 'PUT',
    tag: 'Account',
    access: 'wallet.pay',
    paths: ['/api/wallets/:walletId/billing-profile'],
    summary: 'Set the billing details of a wallet',
    body: profileInput,
    reply: {
      status: 200,
      description: 'The updated billing details. They apply to new documents; issued documents do not change.',
      schema: profileSchema,
    },
    errors: ['notFound', 'staleSession'],
    handle: async (request) => {
      const { memberships, profiles } = deps
      const wallet = await openWalletToPay(memberships, clientOf(request), referenceOf(request, 'walletId'))
      requireFreshSession(request)
      const profile = readProfile(request.body)
      const { actor, requestId } = changeAuthorOf(request)
      const entry: AuditEntry = {
        chainId: wallet.organizationId ?? platformChain,
        actor,
        requestId,
        action: 'wallet.billing_profile',
        target: { kind: 'wallet', id: wallet.walletId },
        details: { country: profile.country, taxIdKind: profile.taxId?.kind ?? null },
      }
      await profiles.put(wallet.walletId, profile, entry)
      return { body: { data: renderProfile(profile) } }
    },
  }
}

function listEndpoint(deps: BillingEndpointDeps): Endpoint {
  return {
    ...reads,
    name: 'listInvoices',
    paths: ['/api/wallets/:walletId/invoices'],
    summary: 'List receipts, credit notes and invoices',
    query: documentQuerySchema,
    reply: { status: 200, description: 'A page of documents, newest first.', schema: documentListSchema },
    errors: ['notFound', 'malformedRequest'],
    handle: async (request) => ({
      body: await documentPage(deps.documents, request.query, await open(deps, request)),
    }),
  }
}

/** One page of documents, for clients and operators. */
export async function documentPage(documents: BillingDocuments, query: Query, walletId: Uuid | null) {
  const limit = limitOf(query, pageSizes)
  const before = textOf(query, 'before')
  if (before !== null && !isUuid(before)) throw refuseValue('before', 'a next_cursor from a previous page')
  // One row more than requested tells whether there is a next page.
  const found = await documents.list({ walletId, kind: kindIn(query), before, limit: limit + 1 })
  const last = found.length > limit ? found[limit - 1] : undefined
  return { data: found.slice(0, limit).map(renderDocument), next_cursor: last?.id ?? null }
}

function kindIn(query: Query): DocumentQuery['kind'] {
  const text = textOf(query, 'kind')
  const kind = documentKinds.find((name) => name === text)
  if (text !== null && kind === undefined) throw refuseValue('kind', `one of ${documentKinds.join(', ')}`)
  return kind ?? null
}

/** The same document in three formats. Each is rendered from the snapshot alone. */
function documentEndpoints(deps: BillingEndpointDeps): Endpoint[] {
  const find = async (request: EndpointRequest) =>
    deps.documents.find(await open(deps, request), referenceOf(request, 'number'))
  const path = '/api/wallets/:walletId/invoices/:number'
  const read: Endpoint = {
    ...reads,
    name: 'getInvoice',
    paths: [path],
    summary: 'Get a receipt, credit note or invoice',
    reply: { status: 200, description: 'The document with the snapshot it was issued from.', schema: documentSchema },
    errors: ['notFound'],
    handle: async (request) => {
      const document = existing(await find(request))
      return { body: { data: { ...renderDocument(document), snapshot: document.snapshot } } }
    },
  }
  return [read, ...fileEndpoints(reads, { path, names: { page: 'getInvoicePage', pdf: 'getInvoicePdf' } }, find)]
}

interface FileRoutes {
  readonly path: string
  readonly names: { readonly page: string; readonly pdf: string }
}

/** A document as a page and as a file, for clients and operators. */
export function fileEndpoints(
  common: Pick<Endpoint, 'method' | 'tag' | 'access'>,
  { path, names }: FileRoutes,
  find: (request: EndpointRequest) => Promise<BillingDocument | null>,
): Endpoint[] {
  const page: Endpoint = {
    ...common,
    name: names.page,
    paths: [`${path}/html`],
    summary: 'Get a document as printable HTML',
    reply: { status: 200, description: 'The HTML page.', schema: Type.String(), contentTypes: ['text/html'] },
    errors: ['notFound'],
    handle: async (request) => {
      const text = htmlOf(layoutOf(existing(await find(request)).snapshot))
      return fileOf(text, 'text/html; charset=utf-8', { 'content-security-policy': documentPolicy })
    },
  }
  const pdf: Endpoint = {
    ...common,
    name: names.pdf,
    paths: [`${path}/pdf`],
    summary: 'Download a document as a PDF',
    reply: { status: 200, description: 'The PDF file.', schema: Type.String(), contentTypes: ['application/pdf'] },
    errors: ['notFound'],
    handle: async (request) => {
      const { snapshot, number } = existing(await find(request))
      const disposition = { 'content-disposition': `attachment; filename="${number}.pdf"` }
      return fileOf(documentPdf(layoutOf(snapshot)), 'application/pdf', disposition)
    },
  }
  return [page, pdf]
}

function existing(document: BillingDocument | null): BillingDocument {
  if (document === null) throw new GatewayError('notFound', { message: 'Document not found.' })
  return document
}

function fileOf(file: string | Buffer, contentType: string, more: Record<string, string>): EndpointReply {
  const headers = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff', ...more }
  return { headers, stream: { contentType, chunks: chunksOf(file) } }
}

async function* chunksOf(file: string | Buffer): AsyncGenerator<string | Buffer> {
  yield file
}
