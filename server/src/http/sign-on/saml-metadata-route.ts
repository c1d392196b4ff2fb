import type { FastifyInstance } from 'fastify'
import { type SamlAddresses, samlAddressesOf } from '#control/sign-on/sign-on-addresses.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid } from '#lib/uuid.ts'

/**
 * Our metadata for the identity provider of an organization, at its entity id. It is made of the id alone, so it
 * doesn't tell whether the organization exists.
 */
export function addSamlMetadata(server: FastifyInstance, { publicOrigin }: { publicOrigin: string | null }): void {
  server.get<{ Params: { organizationId: string } }>(
    '/api/sign-on/:organizationId/saml/metadata',
    async (request, reply) => {
      const { organizationId } = request.params
      if (publicOrigin === null || !isUuid(organizationId)) {
        throw new GatewayError('notFound', { message: 'Metadata not found.' })
      }
      const document = metadataOf(samlAddressesOf(publicOrigin, organizationId))
      return reply.type('application/samlmetadata+xml').send(document)
    },
  )
}

function metadataOf({ audience, recipient }: SamlAddresses): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escaped(audience)}">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true"
    protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:AssertionConsumerService index="0" isDefault="true"
      Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escaped(recipient)}"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
