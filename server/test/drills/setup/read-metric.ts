/** One figure of a gateway, without labels. */
export async function readMetric(gateway: { url: string }, name: string): Promise<number> {
  const response = await fetch(`${gateway.url}/metrics`)
  const value = new RegExp(`^${name} (.+)$`, 'm').exec(await response.text())?.[1]
  if (value === undefined) throw new Error(`${gateway.url} has no figure ${name}`)
  return Number(value)
}
