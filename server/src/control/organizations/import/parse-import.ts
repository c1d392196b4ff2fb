import { isRole, type Role, roles } from '#domain/access/roles.ts'
import { type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { csvRows } from '#lib/csv-rows.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import { parseFlag, readBudgetField, readField, readNameField } from '../../read-fields.ts'

/** One person of the file. An undefined field stays as it is, or gets its default. */
export interface ImportRow {
  /** The line of the CSV file, or the position in the array, from 1. */
  readonly row: number
  readonly email: string
  readonly name: string | undefined
  readonly role: Role | undefined
  /** The name of a team. Null for no team. */
  readonly team: string | null | undefined
  readonly monthlyBudget: NanoUsd | null | undefined
  readonly costCenter: string | undefined
}

export interface WrongRow {
  readonly row: number
  readonly email: string | null
  readonly reason: string
}

export interface ParsedImport {
  readonly rows: readonly ImportRow[]
  readonly wrong: readonly WrongRow[]
  readonly dryRun: boolean
  readonly createTeams: boolean
}

export const importLimits = { rowsMax: 5_000, csvLengthMax: 1_048_576 }

/** Parses `csv`, a string with a header line, or `rows`, an array of objects with the same fields. */
export function parseImport(body: JsonObject): ParsedImport {
  const dryRun = readField(body, { dryRun: parseFlag }) ?? false
  const createTeams = readField(body, { createTeams: parseFlag }) ?? false
  const given = body['csv'] === undefined ? objectsIn(body) : cellsIn(body)
  if (given.length > importLimits.rowsMax) {
    throw malformed(`The file has ${given.length} rows. Import at most ${importLimits.rowsMax} at once.`)
  }
  const rows: ImportRow[] = []
  const wrong: WrongRow[] = []
  const seen = new Map<string, number>()
  for (const { row, values } of given) {
    const parsed = parseRow(row, values)
    const first = 'reason' in parsed ? undefined : seen.get(parsed.email)
    if ('reason' in parsed) wrong.push(parsed)
    else if (first !== undefined) wrong.push({ row, email: parsed.email, reason: `Row ${first} has the same address.` })
    else {
      seen.set(parsed.email, row)
      rows.push(parsed)
    }
  }
  return { rows, wrong, dryRun, createTeams }
}

interface GivenRow {
  readonly row: number
  readonly values: JsonObject
}

/** The names of the fields, without regard to case, spaces and underscores. */
const fields: Readonly<Record<string, keyof ImportRow>> = {
  email: 'email',
  emailaddress: 'email',
  name: 'name',
  role: 'role',
  team: 'team',
  monthlybudget: 'monthlyBudget',
  budget: 'monthlyBudget',
  costcentre: 'costCenter',
  costcenter: 'costCenter',
  costcentercode: 'costCenter',
}

const known = 'email, name, role, team, monthly_budget, cost_centre'

function fieldOf(name: string): keyof ImportRow {
  const field = fields[name.toLowerCase().replace(/[\s_-]/g, '')]
  if (field === undefined) throw malformed(`Unknown column ${name}. Use ${known}.`)
  return field
}

function objectsIn({ rows }: JsonObject): GivenRow[] {
  if (!Array.isArray(rows)) {
    throw new GatewayError('missingRequiredField', {
      message: 'Send csv, a string with a header line, or rows, an array of objects.',
    })
  }
  return rows.map((entry, position) => {
    if (!isJsonObject(entry)) throw malformed(`rows[${position}] must be an object with ${known}.`)
    const values = Object.entries(entry).map(([name, value]) => [fieldOf(name), value] as const)
    return { row: position + 1, values: Object.fromEntries(values) }
  })
}

function cellsIn({ csv }: JsonObject): GivenRow[] {
  if (typeof csv !== 'string' || csv.length > importLimits.csvLengthMax) {
    throw malformed(`csv must be a string of at most ${importLimits.csvLengthMax} characters.`)
  }
  const parsed = csvRows(csv)
  if (parsed === null) throw malformed('A quote in the CSV text is not closed.')
  const [header, ...others] = parsed
  const columns = (header?.cells ?? []).map((name) => fieldOf(name.trim()))
  if (!columns.includes('email')) throw malformed(`The first line must name the columns: ${known}.`)
  return others.map(({ line, cells }) => ({
    row: line,
    values: Object.fromEntries(columns.map((field, at) => [field, cellValue(field, (cells[at] ?? '').trim())])),
  }))
}

/** An empty cell says nothing. `none` clears a team or a budget. */
function cellValue(field: keyof ImportRow, text: string): JsonValue | undefined {
  if (text === '') return undefined
  return (field === 'team' || field === 'monthlyBudget') && text.toLowerCase() === 'none' ? null : text
}

/** An amount as text keeps its digits. A CSV file has no other amounts. */
function readBudget(values: JsonObject): NanoUsd | null | undefined {
  const { monthlyBudget: value } = values
  if (typeof value !== 'string') return readBudgetField(values, 'monthlyBudget')
  const digits = value.trim().replace(/^\$\s*/, '')
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(digits)) return parseUsd(digits)
  throw malformed('The monthly budget must be an amount in USD, such as 25 or 12.50, or none.')
}

function parseRow(row: number, values: JsonObject): ImportRow | WrongRow {
  const { email, role } = values
  const address = typeof email === 'string' ? email.trim().toLowerCase() : ''
  try {
    if (!isMailAddress(address))
      throw malformed(address === '' ? 'The address is missing.' : 'This is not an email address.')
    if (role !== undefined && !isRole(role)) throw malformed(`The role must be one of ${roles.join(', ')}.`)
    const team = values['team'] === null ? null : readNameField(values, 'team', 100)
    const name = readNameField(values, 'name', 200)
    const costCenter = readNameField(values, 'costCenter', 100)
    return { row, email: address, name, role, team, monthlyBudget: readBudget(values), costCenter }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { row, email: address === '' ? null : address.slice(0, 254), reason: error.message }
  }
}
