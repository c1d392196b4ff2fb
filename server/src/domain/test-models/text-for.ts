import { countAt, type JsonObject, stringAt } from '#lib/json.ts'

const lengthMax = 10_000

/** The name of the property, which reads well in a transcript, in the form and length that the schema asks for. */
export function textFor(schema: JsonObject, name: string): string {
  const formatted = formats.get(stringAt(schema, 'format') ?? '')
  if (formatted !== undefined) return formatted
  const least = Math.min(countAt(schema, 'minLength') ?? 0, lengthMax)
  const most = countAt(schema, 'maxLength') ?? lengthMax
  return name.padEnd(least, 'x').slice(0, most)
}

const formats = new Map([
  ['date-time', '2000-01-01T00:00:00Z'],
  ['date', '2000-01-01'],
  ['time', '00:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'test@example.com'],
  ['hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://example.com/'],
  ['uuid', '00000000-0000-4000-8000-000000000000'],
])
