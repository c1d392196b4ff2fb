const count = new Intl.NumberFormat('en')

/** A count with its noun: `1 key`, `2,340 requests`. Give the plural where it does not just add an s. */
export function plural(counted: number, one: string, many = `${one}s`): string {
  return `${count.format(counted)} ${counted === 1 ? one : many}`
}
