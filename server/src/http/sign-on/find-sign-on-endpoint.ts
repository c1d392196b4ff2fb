import { Type } from 'typebox'
import { domainOfAddress } from '#domain/sign-on/domain-name.ts'
import type { SignOnStore } from '#ports/sign-on.ts'
import type { Endpoint } from '../endpoint.ts'
import { textOf } from '../request-values.ts'
import { renderFound } from './render-found.ts'
import { foundSchema } from './sign-on-schema.ts'

/** Tells the sign-in page which organization signs in addresses of a domain. It says nothing about accounts. */
export function findSignOnEndpoint(store: Pick<SignOnStore, 'findEnabled'>): Endpoint {
  return {
    name: 'findSignOn',
    method: 'GET',
    paths: ['/api/sign-on'],
    tag: 'Console',
    summary: 'Find the single sign-on of a domain',
    access: 'console.state',
    query: Type.Object({ domain: Type.String({ maxLength: 200, description: 'Domain of an email address.' }) }),
    reply: {
      status: 200,
      description: 'The organization that signs in addresses of the domain, or null.',
      schema: foundSchema,
    },
    errors: ['storeUnavailable'],
    handle: async (request) => {
      const domain = domainOfAddress(textOf(request.query, 'domain') ?? '')
      return { body: { data: renderFound(domain === null ? null : await store.findEnabled(domain)) } }
    },
  }
}
