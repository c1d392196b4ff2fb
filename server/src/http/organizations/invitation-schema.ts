import { Type } from 'typebox'
import { roles } from '#domain/access/roles.ts'
import { invitationLimits, invitationStatuses } from '#domain/organizations/invitation.ts'
import { nextCursor } from '../page-query.ts'

const moment = Type.String({ description: 'Time as an ISO 8601 string.' })
const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const budget = Type.Union([Type.Number(), Type.Null()], { description: 'Monthly budget in USD. Null for no budget.' })

const fields = {
  id: Type.String(),
  status: Type.Enum([...invitationStatuses]),
  email: nullable('Address that the invitation is for. Null for an open link.'),
  domain: nullable('Domain that addresses must have to use an open link. Null for any.'),
  name: nullable('Name of the person, as the inviter wrote it.'),
  role: Type.Enum([...roles]),
  monthlyBudget: budget,
  usesMax: Type.Integer({ description: 'Number of people who can use the link. 1 for an invitation to an address.' }),
  uses: Type.Integer({ description: 'Number of people who have used it.' }),
  team: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
  invitedBy: Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }),
  createdAt: moment,
  sentAt: moment,
  expiresAt: moment,
  acceptedAt: nullable('Time of the last use.'),
}

export const invitationListSchema = Type.Object({
  data: Type.Array(Type.Object(fields, { $id: 'Invitation' })),
  next_cursor: nextCursor,
})

const url = Type.String({
  description: 'Link to accept the invitation. It is shown only once; without a public URL it is a path.',
})
const mailed = Type.Boolean({
  description: 'Whether an email with the link is sent. False for open links and without a mail server.',
})

export const sentInvitationSchema = Type.Object({
  data: Type.Object({ id: Type.String(), url, mailed, expiresAt: moment }, { $id: 'SentInvitation' }),
})

export const invitedSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        outcome: Type.Enum(['invited', 'renewed', 'already_member', 'invited_to_other_team'], {
          description: '`renewed`: the address had an open invitation, whose link no longer works.',
        }),
        email: nullable('Null for an open link.'),
        id: nullable('ID of the invitation. Null if nothing was sent.'),
        url: nullable('Link to accept the invitation, shown only once. Null if nothing was sent.'),
        mailed,
        expiresAt: nullable('Time as an ISO 8601 string. Null if nothing was sent.'),
      },
      { $id: 'InviteOutcome' },
    ),
  ),
})

export const newInvitationsSchema = Type.Object({
  emails: Type.Optional(
    Type.Array(Type.String(), { maxItems: invitationLimits.perRequestMax, description: 'Addresses to invite.' }),
  ),
  usesMax: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: invitationLimits.usesMax,
      description: 'Creates an open link that this many people can use. Send it without `emails`.',
    }),
  ),
  domain: Type.Optional(nullable('Domain that addresses must have to use the open link, such as `example.com`.')),
  role: Type.Optional(Type.Enum([...roles], { description: "Defaults to the team's or the organization's default." })),
  teamId: Type.Optional(nullable('ID of a team. Required for the role `team_admin`.')),
  monthlyBudget: Type.Optional(budget),
  expiresInDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: invitationLimits.daysMax, description: 'Defaults to 7.' }),
  ),
})

export const tokenSchema = Type.Object({ token: Type.String({ description: 'Token of the link.' }) })

export const openedInvitationSchema = Type.Object({
  data: Type.Object(
    {
      organization: Type.Object({ name: Type.String() }),
      role: Type.Enum([...roles]),
      team: nullable('Name of the team.'),
      monthlyBudget: budget,
      invitedBy: Type.String({ description: 'Name of the inviter.' }),
      email: nullable('Address that the invitation is for. Null for an open link.'),
      domain: nullable('Domain that addresses must have. Null for any.'),
      expiresAt: moment,
    },
    { $id: 'OpenedInvitation' },
  ),
})

export const acceptedInvitationSchema = Type.Object({
  data: Type.Object({
    orgId: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    memberId: Type.String(),
  }),
})
