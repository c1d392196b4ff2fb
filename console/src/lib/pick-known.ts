/** Returns `{ [name]: value }` if the value of the search parameter is allowed, otherwise an empty object. */
export function pickKnown<Name extends string, Value extends string>(
  name: Name,
  allowed: readonly Value[],
  value: unknown,
): { readonly [Key in Name]?: Value } {
  const found = allowed.find((candidate) => candidate === value)
  return (found === undefined ? {} : { [name]: found }) as { readonly [Key in Name]?: Value }
}
