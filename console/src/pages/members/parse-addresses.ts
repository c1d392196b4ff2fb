/** The addresses of a field, separated by commas, semicolons, spaces or lines. Repeated ones count once. */
export function parseAddresses(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).map((part) => part.trim().toLowerCase()))].filter((part) => part !== '')
}

/** The first text that is no address, or undefined. The API checks the rest. */
export function findWrongAddress(addresses: readonly string[]): string | undefined {
  return addresses.find((address) => !/^[^@]+@[^@]+\.[^@]+$/.test(address))
}
