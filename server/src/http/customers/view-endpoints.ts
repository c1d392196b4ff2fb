import { Type } from 'typebox'
import { beginView, endView, type ViewDeps } from '#control/customers/view-customer.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { malformed } from '#errors/malformed.ts'
import { assert } from '#lib/assert.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointRequest } from '../endpoint.ts'
import { viewHeader } from '../plugins/views.ts'
import { idOf, referenceOf } from '../request-values.ts'

/** Operators view the console as a customer. `plugins/views.ts` has what a view shows. */
export function viewEndpoints(deps: ViewDeps): Endpoint[] {
  return [beginEndpoint(deps), endEndpoint(deps)]
}

function beginEndpoint(deps: ViewDeps): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.impersonate',
    name: 'beginView',
    method: 'POST',
    paths: ['/api/admin/users/:userRef/view'],
    summary: 'View the console as a customer',
    description: `Begins a read-only view of 30 minutes for this session. Requests that name it in \`${viewHeader}\` get what the customer would get; changes, exports, secrets and stored content are rejected. A session has one view at a time. The audit logs of the platform and of the customer's organizations record it.`,
    body: newViewSchema,
    reply: { status: 201, description: 'The view.', schema: viewSchema },
    errors: ['missingRequiredField', 'notFound', 'conflict'],
    handle: async (request) => {
      const reference = referenceOf(request, 'userRef')
      const reason = createFieldReader(request.body).requiredText('reason')
      const input = { reference, reason, sessionId: sessionOf(request) }
      const { view, user } = await beginView(deps, input, changeAuthorOf(request))
      const { id, email, name } = user
      const data = { id: view.id, ends_at: new Date(view.endsAtMs).toISOString(), user: { id, email, name } }
      return { body: { data } }
    },
  }
}

/** No action of an operator, because a view must be ended also by an operator who signed in an hour ago. */
function endEndpoint({ views }: ViewDeps): Endpoint {
  return {
    tag: 'Operators',
    access: 'operator.endView',
    name: 'endView',
    method: 'DELETE',
    paths: ['/api/operator/view'],
    summary: 'End your view of a customer',
    description: `Ends the view if this session has it. Send it without \`${viewHeader}\`.`,
    query: Type.Object({ id: Type.String({ format: 'uuid', description: 'The ID of the view.' }) }),
    reply: { status: 204, description: 'The view has ended.', schema: Type.Null() },
    errors: ['malformedRequest'],
    handle: async (request) => {
      const viewId = idOf(request.query, 'id', 'the ID of a view')
      if (viewId === null) throw malformed('id must be the ID of a view.')
      await endView(views, { viewId, sessionId: sessionOf(request) }, changeAuthorOf(request))
      return { status: 204 }
    },
  }
}

function sessionOf(request: EndpointRequest): string {
  const client = clientOf(request)
  assert(client.kind === 'session', 'an endpoint for sessions alone is called with one')
  return client.person.sessionId
}

const newViewSchema = Type.Object({
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    description: "Why you need the view. The platform's audit log keeps it; the customer never sees it.",
  }),
})

const viewSchema = Type.Object({
  data: Type.Object(
    {
      id: Type.String({ format: 'uuid', description: `The value of \`${viewHeader}\`.` }),
      ends_at: Type.String({ format: 'date-time' }),
      user: Type.Object({ id: Type.String({ format: 'uuid' }), email: Type.String(), name: Type.String() }),
    },
    { $id: 'CustomerView' },
  ),
})
