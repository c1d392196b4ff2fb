/**
 * A Postgres array written as text. `pg` would quote and escape every element; ids, numbers and the names of our own
 * scopes need neither, and joining them costs a tenth.
 */
export function arrayLiteral(elements: readonly (string | number | bigint)[]): string {
  return `{${elements.join(',')}}`
}
