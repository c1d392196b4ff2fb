import { Type } from 'typebox'
import { connectionKinds, groupRoles } from '#domain/sign-on/connection.ts'

const moment = Type.String({ description: 'Time as an ISO 8601 string.' })
const optionalMoment = Type.Union([moment, Type.Null()])

const domainSchema = Type.Object(
  {
    id: Type.String(),
    domain: Type.String(),
    record: Type.Object(
      { name: Type.String(), value: Type.String() },
      { description: 'The TXT record that verifies the domain.' },
    ),
    verifiedAt: optionalMoment,
    createdAt: moment,
  },
  { $id: 'SignOnDomain' },
)

const optionalText = Type.Union([Type.String(), Type.Null()])
const issuer = Type.String({
  description: 'Issuer URL of an OpenID Connect provider, a public https URL, or entity ID of a SAML provider.',
})
const clientId = Type.String()
const groupsClaim = Type.String({
  description: "Claim or SAML attribute that lists the person's groups. Defaults to `groups`.",
})
const clientSecret = Type.String({ description: 'Client secret at the provider. Stored encrypted, never returned.' })
const enabled = Type.Boolean({ description: 'Whether people can sign in with it. One provider can be enabled.' })
const enforced = Type.Boolean({
  description:
    'Whether people with an address in a verified domain must use it. Requires a successful test. Ends sessions that began in another way. Administrators of the organization can still use their password.',
})

const signInUrl = Type.String({ description: 'Address for sign-in requests by HTTP-Redirect. A public https URL.' })
const certificates = Type.Array(Type.String(), {
  description: 'Certificates that may sign assertions, as PEM. Several while the provider changes its certificate.',
})
const emailAttribute = Type.Union([Type.String(), Type.Null()], {
  description: 'Attribute that holds the email address. Null for the name ID, which is the default.',
})
const subjectAttribute = Type.Union([Type.String(), Type.Null()], {
  description:
    'Attribute that identifies a person permanently. Null for the name ID, which is the default and must not be an email address. A change links accounts anew.',
})
const allowsUnsolicited = Type.Boolean({
  description: 'Whether the provider may begin a sign-in. Off by default: such a sign-in is not bound to a browser.',
})
const samlFields = {
  metadata: Type.String({
    description: 'Metadata of a SAML provider, as XML. Sets issuer, signInUrl and certificates.',
  }),
  metadataUrl: Type.String({ description: 'Public https URL of the metadata, which is read once.' }),
  signInUrl,
  certificates,
  emailAttribute,
  subjectAttribute,
  allowsUnsolicited,
}

const connectionSchema = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum([...connectionKinds]),
    name: Type.String(),
    issuer: Type.String(),
    clientId: optionalText,
    groupsClaim: Type.String(),
    saml: Type.Union(
      [
        Type.Object({
          signInUrl,
          certificates,
          certificateExpiresAt: Type.String({ description: 'When the first of the certificates expires.' }),
          emailAttribute,
          subjectAttribute,
          allowsUnsolicited,
        }),
        Type.Null(),
      ],
      { description: 'Settings of a SAML provider. Null for OpenID Connect.' },
    ),
    enabled,
    enforced,
    start: Type.String({ description: 'Address that begins a sign-in. Add `&test=true` for a test.' }),
    test: Type.Union([
      Type.Object({
        at: moment,
        error: optionalText,
        claims: Type.Record(Type.String(), Type.Unknown(), { description: 'Claims that the provider sent.' }),
      }),
      Type.Null(),
    ]),
    testedAt: Type.Union([moment, Type.Null()], {
      description: 'Time of the last successful test with the current settings.',
    }),
    createdAt: moment,
  },
  { $id: 'SignOnConnection' },
)

export const newConnectionSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  ...Type.Partial(
    Type.Object({
      kind: Type.Enum([...connectionKinds], { description: 'Protocol of the provider. Defaults to `oidc`.' }),
      issuer,
      clientId,
      clientSecret,
      groupsClaim,
      ...samlFields,
    }),
  ).properties,
})
export const connectionChangeSchema = Type.Partial(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    issuer,
    clientId,
    clientSecret,
    groupsClaim,
    ...samlFields,
    enabled,
    enforced,
  }),
)
export const connectionReplySchema = Type.Object({ data: connectionSchema })
export const connectionListSchema = Type.Object({
  data: Type.Array(connectionSchema),
  urls: Type.Union(
    [
      Type.Object({
        redirect: Type.String({ description: 'Redirect URI for OpenID Connect.' }),
        entityId: Type.String({ description: 'Entity ID for SAML. Our metadata is at this URL.' }),
        acs: Type.String({ description: 'Assertion consumer service URL for SAML.' }),
      }),
      Type.Null(),
    ],
    { description: 'Addresses to enter at the provider. Null if the installation has no public URL.' },
  ),
})

const groupSchema = Type.Object({
  group: Type.String({ description: 'Name or id of the group, exactly as the provider sends it.' }),
  teamId: optionalText,
  role: Type.Enum([...groupRoles]),
})
export const groupsSchema = Type.Object({
  groups: Type.Array(groupSchema, { description: 'The first mapping whose group the person has decides.' }),
})
export const groupsReplySchema = Type.Object({ data: Type.Array(groupSchema) })

export const foundSchema = Type.Object({
  data: Type.Union([
    Type.Object({
      organization: Type.String(),
      start: Type.String({ description: 'Address that begins the sign-in.' }),
      enforced: Type.Boolean(),
    }),
    Type.Null(),
  ]),
})

export const newDomainSchema = Type.Object({ domain: Type.String({ minLength: 1, maxLength: 253 }) })
export const domainReplySchema = Type.Object({ data: domainSchema })
export const domainListSchema = Type.Object({ data: Type.Array(domainSchema) })
