const count = new Intl.NumberFormat('en')

/** Formats a count with its noun: `1 key`, `2,340 requests`. Pass the plural if it is irregular. */
export function plural(counted: number, one: string, many = `${one}s`): string {
  return `${count.format(counted)} ${counted === 1 ? one : many}`
}
