import { type TSchema, Type } from 'typebox'
import { roles } from '#domain/access/roles.ts'
import { billingModes, organizationDefaultRoles } from '#domain/organizations/organization.ts'
import { teamDefaultRoles } from '#domain/organizations/team.ts'
import { breakerSettingsSchema } from '../breakers/breaker-schema.ts'
import { usd } from '../schema-types.ts'
import { nextCursor, totalCount } from '../page-query.ts'

const moment = Type.String({ description: 'Time as an ISO 8601 string.' })
const note = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const budget = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const cacheTtl = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
  description:
    'Time that answers of the organization stay in the response cache, in seconds. Null turns the cache off.',
})
const role = Type.Enum([...roles])
const teamBudget = budget('Monthly budget in USD. Resets on the 1st at 00:00 UTC. Null if there is no budget.')

const held = (period: 'weekly' | 'monthly') => usd(`Amount on hold in the ${period} budget, 0 if there is no budget`)

const entryFields = {
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  role: Type.Enum([...roles], { description: 'Role of the authenticated user or key in the organization.' }),
  joinedAt: moment,
  creditBalance: Type.Number({
    description: 'Credit balance in USD. Negative if the organization owes money under monthly billing.',
  }),
  memberKeysMax: Type.Integer({
    description: 'Number of API keys each member can create. With 0, only administrators create keys.',
  }),
  ownKeysMax: Type.Integer({
    description:
      "Number of API keys that the authenticated member can create: their team's limit, or else the organization's.",
  }),
}

const organization = Type.Object(
  {
    ...entryFields,
    plan: Type.String(),
    billingMode: Type.Enum([...billingModes]),
    creditLine: Type.Number({ description: 'Credit line in USD: how far the balance can fall below zero.' }),
    seats: Type.Object({
      total: Type.Union([Type.Integer(), Type.Null()], { description: 'Maximum number of seats. Null if unlimited.' }),
      used: Type.Integer(),
    }),
    settings: Type.Record(Type.String(), Type.Unknown()),
    cacheTtlSeconds: cacheTtl,
    defaultRole: Type.Enum([...organizationDefaultRoles], {
      description: 'Role of new members, unless another is given.',
    }),
    defaultMonthlyBudget: budget('Monthly budget of new members in USD, unless another is given. Null for no budget.'),
    weeklyBudget: budget('Weekly budget in USD. Resets on Monday at 00:00 UTC. Null if there is no budget.'),
    monthlyBudget: teamBudget,
    spendThisWeek: usd('Spend in the current week'),
    heldThisWeek: held('weekly'),
    spendThisMonth: usd('Spend in the current month'),
    heldThisMonth: held('monthly'),
    teamCount: Type.Integer(),
    memberCount: Type.Integer(),
    createdAt: moment,
  },
  { $id: 'Organization' },
)

const team = Type.Object(
  {
    id: Type.String(),
    orgId: Type.String(),
    name: Type.String(),
    description: note('Description of the team.'),
    costCenterCode: note("Cost center code used in the organization's accounting."),
    monthlyBudget: teamBudget,
    spendThisMonth: usd('Spend in the current month'),
    heldThisMonth: held('monthly'),
    breaker: breakerSettingsSchema,
    keyCount: Type.Integer({ description: 'Keys of the team. They end if the team is deleted.' }),
    permissionScope: note('Free-form permission scope, stored as given.'),
    defaultRole: Type.Union([Type.Enum([...teamDefaultRoles]), Type.Null()], {
      description: "Role of new members of the team. Null for the organization's default.",
    }),
    defaultMonthlyBudget: budget(
      "Monthly budget of new members of the team in USD. Null for the organization's default.",
    ),
    memberKeysMax: Type.Union([Type.Integer(), Type.Null()], {
      description: "Number of API keys each member of the team can create. Null for the organization's limit.",
    }),
    memberCount: Type.Integer(),
    createdAt: moment,
    updatedAt: moment,
  },
  { $id: 'Team' },
)

const member = Type.Object(
  {
    id: Type.String({ description: 'ID of the membership.' }),
    user: Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }),
    team: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
    role,
    joinedAt: moment,
    monthlyBudget: teamBudget,
    spendThisMonth: usd('Spend in the current month'),
    heldThisMonth: held('monthly'),
    breaker: breakerSettingsSchema,
    keyCount: Type.Integer({ description: 'Keys of the member in the organization. They end with the membership.' }),
    suspended: Type.Boolean({
      description: 'Whether the person and their keys have no access to the organization.',
    }),
  },
  { $id: 'Member' },
)

const one = (schema: TSchema) => Type.Object({ data: schema })
const list = (schema: TSchema) => Type.Object({ data: Type.Array(schema), total_count: Type.Integer() })

const pagedList = (schema: TSchema) =>
  Type.Object({ data: Type.Array(schema), total_count: totalCount, next_cursor: nextCursor })

const organizationEntry = Type.Object(entryFields, { $id: 'OrganizationEntry' })
export const organizationListSchema = list(organizationEntry)
export const organizationEntrySchema = one(organizationEntry)
export const organizationSchema = one(organization)
export const teamListSchema = pagedList(team)
export const teamSchema = one(team)
export const memberListSchema = pagedList(member)
export const memberSchema = one(member)
export const nothingSchema = Type.Null()

export const newOrganizationSchema = Type.Object({ name: Type.String({ maxLength: 100 }) })

export const organizationChangeSchema = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 100 })),
  cacheTtlSeconds: Type.Optional(cacheTtl),
  settings: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Settings object of at most 8 KB. Replaces the stored object.',
    }),
  ),
  memberKeysMax: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Number of API keys each member can create.' }),
  ),
  defaultRole: Type.Optional(Type.Enum([...organizationDefaultRoles], { description: 'Role of new members.' })),
  defaultMonthlyBudget: Type.Optional(budget('Monthly budget of new members in USD. Null for no budget.')),
  weeklyBudget: Type.Optional(budget('Weekly budget in USD. Null for no budget.')),
  monthlyBudget: Type.Optional(budget('Monthly budget in USD. Null for no budget.')),
})

const teamFields = {
  description: Type.Optional(note('Description of the team, at most 1000 characters.')),
  costCenterCode: Type.Optional(note('Cost center code, at most 100 characters.')),
  permissionScope: Type.Optional(note('Permission scope, at most 200 characters. Stored as given.')),
  monthlyBudget: Type.Optional(budget('Monthly budget in USD. Null for no budget.')),
  defaultRole: Type.Optional(
    Type.Union([Type.Enum([...teamDefaultRoles]), Type.Null()], {
      description: "Role of new members of the team. Null for the organization's default.",
    }),
  ),
  defaultMonthlyBudget: Type.Optional(
    budget("Monthly budget of new members of the team in USD. Null for the organization's default."),
  ),
  memberKeysMax: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], {
      description: "Number of API keys each member of the team can create. Null for the organization's limit.",
    }),
  ),
}
const teamName = Type.String({
  maxLength: 100,
  description: 'Team name, unique within the organization and case-insensitive.',
})
export const newTeamSchema = Type.Object({ name: teamName, ...teamFields })
export const teamChangeSchema = Type.Object({ name: Type.Optional(teamName), ...teamFields })

const memberFields = {
  role: Type.Optional(role),
  teamId: Type.Optional(note("ID of the member's team. Required for the role `team_admin`.")),
  monthlyBudget: Type.Optional(budget('Monthly budget in USD. Null for no budget.')),
}
export const newMemberSchema = Type.Object({
  email: Type.String({ description: 'Email address of a user who already has an account.' }),
  ...memberFields,
})
export const memberChangeSchema = Type.Object({
  ...memberFields,
  suspended: Type.Optional(
    Type.Boolean({ description: 'Suspends the member, or restores their access. Budget, keys and history stay.' }),
  ),
})
