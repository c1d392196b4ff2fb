import { type TSchema, Type } from 'typebox'
import { roles } from '#domain/access/roles.ts'
import { billingModes } from '#domain/organizations/organization.ts'
import { nextCursor, totalCount } from '../page-query.ts'

const moment = Type.String({ description: 'ISO 8601' })
const note = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const budget = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const role = Type.Enum([...roles])
const teamBudget = budget('USD from the 1st, 00:00 UTC; null for none')

const entryFields = {
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  role: Type.Enum([...roles], { description: "The client's" }),
  joinedAt: moment,
  creditBalance: Type.Number({ description: 'USD; below zero what is owed on monthly billing' }),
}

const organization = Type.Object(
  {
    ...entryFields,
    plan: Type.String(),
    billingMode: Type.Enum([...billingModes]),
    creditLine: Type.Number({ description: 'How far the balance may go below zero, USD' }),
    seats: Type.Object({
      total: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: as many as you like' }),
      used: Type.Integer(),
    }),
    settings: Type.Record(Type.String(), Type.Unknown()),
    weeklyBudget: budget('USD from Monday, 00:00 UTC; null for none'),
    monthlyBudget: teamBudget,
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
    description: note('What it is for'),
    costCenterCode: note('For the bookkeeping of the organization'),
    monthlyBudget: teamBudget,
    spendThisMonth: Type.Number({ description: 'USD' }),
    permissionScope: note('Kept as it is given'),
    memberCount: Type.Integer(),
    createdAt: moment,
    updatedAt: moment,
  },
  { $id: 'Team' },
)

const member = Type.Object(
  {
    id: Type.String({ description: 'Of the membership' }),
    user: Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }),
    team: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
    role,
    joinedAt: moment,
    monthlyBudget: teamBudget,
    spendThisMonth: Type.Number({ description: 'USD' }),
  },
  { $id: 'Member' },
)

const one = (schema: TSchema) => Type.Object({ data: schema })
const list = (schema: TSchema) => Type.Object({ data: Type.Array(schema), total_count: Type.Integer() })

const pagedList = (schema: TSchema) =>
  Type.Object({ data: Type.Array(schema), total_count: totalCount, next_cursor: nextCursor })

export const organizationListSchema = list(Type.Object(entryFields, { $id: 'OrganizationEntry' }))
export const organizationSchema = one(organization)
export const teamListSchema = pagedList(team)
export const teamSchema = one(team)
export const memberListSchema = pagedList(member)
export const memberSchema = one(member)
export const nothingSchema = Type.Null()

export const organizationChangeSchema = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 100 })),
  settings: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Replaces the stored object; at most 8 KB' }),
  ),
  weeklyBudget: Type.Optional(budget('USD')),
  monthlyBudget: Type.Optional(budget('USD')),
})

const teamFields = {
  description: Type.Optional(note('At most 1000 characters')),
  costCenterCode: Type.Optional(note('At most 100 characters')),
  permissionScope: Type.Optional(note('At most 200 characters')),
  monthlyBudget: Type.Optional(budget('USD')),
}
const teamName = Type.String({ maxLength: 100, description: 'Unique in the organization, whatever the case' })
export const newTeamSchema = Type.Object({ name: teamName, ...teamFields })
export const teamChangeSchema = Type.Object({ name: Type.Optional(teamName), ...teamFields })

const memberFields = {
  role: Type.Optional(role),
  teamId: Type.Optional(note('Required for a team_admin')),
  monthlyBudget: Type.Optional(budget('USD')),
}
export const newMemberSchema = Type.Object({
  email: Type.String({ description: 'Of a person who has an account' }),
  ...memberFields,
})
export const memberChangeSchema = Type.Object(memberFields)
