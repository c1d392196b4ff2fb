import { addNote, removeNote } from '#control/customers/change-notes.ts'
import { type CustomerDeps, readCustomer } from '#control/customers/read-customer.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { parseCustomerSearch } from '#domain/customers/parse-customer-search.ts'
import type { CustomerKind } from '#ports/customers.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import { flagOf, idOf, limitOf, type Query, referenceOf, refuseValue, textOf } from '../request-values.ts'
import {
  customerListSchema,
  customerQuerySchema,
  customerSchema,
  newNoteSchema,
  noteSchema,
} from './customer-schema.ts'
import { renderCustomer, renderListing, renderNote } from './render-customer.ts'

const reads = { tag: 'Operators', access: 'operators.customers', method: 'GET' } as const
const pageSizes = { fallback: 20, max: 100 }

/** The customers of the installation, for operators. */
export function customerEndpoints(deps: CustomerDeps): Endpoint[] {
  return [listEndpoint(deps), readEndpoint(deps), addNoteEndpoint(deps), removeNoteEndpoint(deps)]
}

function listEndpoint({ customers }: CustomerDeps): Endpoint {
  return {
    ...reads,
    name: 'listCustomers',
    paths: ['/api/admin/customers'],
    summary: 'List and search customers',
    query: customerQuerySchema,
    reply: { status: 200, description: 'A page of users and organizations, newest first.', schema: customerListSchema },
    errors: ['malformedRequest'],
    handle: async ({ query }) => {
      const limit = limitOf(query, pageSizes)
      const found = await customers.list({
        search: parseCustomerSearch(textOf(query, 'q')),
        kind: kindOf(query),
        suspended: flagOf(query, 'suspended'),
        before: idOf(query, 'before', 'a next_cursor from a previous page'),
        // One more than requested tells whether there is a next page.
        limit: limit + 1,
      })
      const last = found.length > limit ? found[limit - 1] : undefined
      return { body: { data: found.slice(0, limit).map(renderListing), next_cursor: last?.id ?? null } }
    },
  }
}

function readEndpoint(deps: CustomerDeps): Endpoint {
  return {
    ...reads,
    name: 'getCustomer',
    paths: ['/api/admin/customers/:customerRef'],
    summary: 'Get a customer',
    description: "Names the customer by its ID, its wallet's ID, an email address or an organization slug.",
    reply: {
      status: 200,
      description: 'The customer, with its wallet, keys and latest orders.',
      schema: customerSchema,
    },
    errors: ['notFound'],
    handle: async (request) => ({
      body: { data: renderCustomer(await readCustomer(deps, referenceOf(request, 'customerRef'))) },
    }),
  }
}

function addNoteEndpoint(deps: CustomerDeps): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.accounts',
    name: 'addCustomerNote',
    method: 'POST',
    paths: ['/api/admin/customers/:customerRef/notes'],
    summary: 'Add a note about a customer',
    body: newNoteSchema,
    reply: { status: 201, description: 'The note. Customers never see it.', schema: noteSchema },
    errors: ['missingRequiredField', 'notFound'],
    handle: async (request) => {
      const note = {
        reference: referenceOf(request, 'customerRef'),
        text: createFieldReader(request.body).requiredText('text'),
      }
      return { body: { data: renderNote(await addNote(deps, note, changeAuthorOf(request))) } }
    },
  }
}

function removeNoteEndpoint(deps: CustomerDeps): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.accounts',
    name: 'deleteCustomerNote',
    method: 'DELETE',
    paths: ['/api/admin/customers/:customerRef/notes/:noteId'],
    summary: 'Delete a note about a customer',
    reply: { status: 204, description: 'The note was deleted.', schema: {} },
    errors: ['notFound'],
    handle: async (request) => {
      const note = { reference: referenceOf(request, 'customerRef'), noteId: referenceOf(request, 'noteId') }
      await removeNote(deps, note, changeAuthorOf(request))
      return {}
    },
  }
}

const kinds: readonly CustomerKind[] = ['user', 'organization']

function kindOf(query: Query): CustomerKind | null {
  const text = textOf(query, 'kind')
  const kind = kinds.find((known) => known === text)
  if (text !== null && kind === undefined) throw refuseValue('kind', `one of ${kinds.join(', ')}`)
  return kind ?? null
}
