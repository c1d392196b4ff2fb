import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { ScimPage, ScimQuery, ScimUser } from '#ports/provisioning.ts'
import { type FilterColumn, type FilterColumns, filterSql } from './filter-sql.ts'

interface Row {
  id: string
  user_id: string
  user_name: string
  external_id: string | null
  email: string
  display_name: string | null
  given_name: string | null
  family_name: string | null
  formatted: string | null
  active: boolean
  joined_at: Date
  updated_at: Date
  groups: { id: string; displayName: string }[]
}

// A member whom the directory does not know yet is found by the account's name and address.
const userColumns = `m.id, m.user_id, coalesce(s.user_name, u.email) AS user_name, s.external_id,
      coalesce(s.email, lower(u.email)) AS email,
      CASE WHEN s.member_id IS NULL THEN nullif(u.name, '') ELSE s.display_name END AS display_name,
      s.given_name, s.family_name, s.formatted, m.suspended_at IS NULL AS active, m.joined_at,
      greatest(m.updated_at, s.updated_at) AS updated_at`

const userTables = `members m JOIN users u ON u.id = m.user_id LEFT JOIN scim_users s ON s.member_id = m.id`

const groupsOfUser = `coalesce((SELECT json_agg(json_build_object('id', g.id, 'displayName', g.display_name)
        ORDER BY lower(g.display_name)) FROM scim_group_members gm JOIN scim_groups g ON g.id = gm.group_id
        WHERE gm.member_id = p.id), '[]'::json) AS groups`

/** Finds members by what the directory says, and those whom it does not know by their account. */
function eitherWay(known: string, account: string): string {
  return `m.id IN (SELECT x.member_id FROM scim_users x WHERE x.organization_id = $1 AND ${known}
      UNION ALL SELECT y.id FROM users v JOIN members y ON y.user_id = v.id AND y.organization_id = $1
      WHERE ${account} AND NOT EXISTS (SELECT FROM scim_users z WHERE z.member_id = y.id))`
}

const emailColumn = {
  kind: 'text',
  sql: 'coalesce(s.email, u.email)',
  equals: (value: string) => eitherWay(`x.email = ${value}`, `lower(v.email) = ${value}`),
} as const

const filterColumns: FilterColumns = new Map(
  Object.entries<FilterColumn>({
    id: { kind: 'exact', sql: 'm.id::text' },
    username: {
      kind: 'text',
      sql: 'coalesce(s.user_name, u.email)',
      equals: (value) => eitherWay(`lower(x.user_name) = ${value}`, `lower(v.email) = ${value}`),
    },
    externalid: {
      kind: 'exact',
      sql: 's.external_id',
      equals: (value) =>
        `m.id IN (SELECT x.member_id FROM scim_users x WHERE x.organization_id = $1 AND x.external_id = ${value})`,
    },
    displayname: { kind: 'text', sql: `CASE WHEN s.member_id IS NULL THEN u.name ELSE s.display_name END` },
    'name.givenname': { kind: 'text', sql: 's.given_name' },
    'name.familyname': { kind: 'text', sql: 's.family_name' },
    'name.formatted': { kind: 'text', sql: 's.formatted' },
    'emails.value': emailColumn,
    'emails.type': { kind: 'text', sql: `'work'` },
    'emails.primary': { kind: 'flag', sql: 'true' },
    active: { kind: 'flag', sql: '(m.suspended_at IS NULL)' },
    'meta.created': { kind: 'time', sql: 'm.joined_at' },
    'meta.lastmodified': { kind: 'time', sql: 'greatest(m.updated_at, s.updated_at)' },
  }),
)

/** The page, and how many members the filter finds. */
export async function listScimUsers(pool: Pool, query: ScimQuery): Promise<ScimPage<ScimUser>> {
  const { text, countText, values } = scimUsersStatement(query)
  const [counted, listed] = await Promise.all([
    pool.query<{ total: number }>(countText, [...values]),
    query.limit === 0 ? { rows: [] } : pool.query<Row>(text, [...values]),
  ])
  return { entries: listed.rows.map(readUser), total: counted.rows[0]?.total ?? 0 }
}

export function scimUsersStatement({ organizationId, filter, offset, limit }: ScimQuery) {
  const values: unknown[] = [organizationId]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const found = filter === null ? '' : ` AND ${filterSql(filter, filterColumns, bind)}`
  const where = `WHERE m.organization_id = $1${found}`
  // Limits are integers of our own.
  const page = `(SELECT ${userColumns} FROM ${userTables} ${where}
      ORDER BY m.joined_at, m.id OFFSET ${offset} LIMIT ${limit})`
  return {
    text: `SELECT p.*, ${groupsOfUser} FROM ${page} AS p ORDER BY p.joined_at, p.id`,
    countText: `SELECT count(*)::integer AS total FROM ${userTables} ${where}`,
    values,
  }
}

export async function findScimUser(
  connection: Pool | PoolClient,
  { organizationId, memberId }: { organizationId: Uuid; memberId: Uuid },
): Promise<ScimUser | null> {
  const text = `SELECT p.*, ${groupsOfUser} FROM
    (SELECT ${userColumns} FROM ${userTables} WHERE m.organization_id = $1 AND m.id = $2) AS p`
  const { rows } = await connection.query<Row>(text, [organizationId, memberId])
  const [row] = rows
  return row === undefined ? null : readUser(row)
}

function readUser(row: Row): ScimUser {
  return {
    id: row.id,
    userId: row.user_id,
    userName: row.user_name,
    externalId: row.external_id,
    email: row.email,
    displayName: row.display_name,
    givenName: row.given_name,
    familyName: row.family_name,
    formatted: row.formatted,
    active: row.active,
    groups: row.groups,
    createdAtMs: row.joined_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  }
}
