/**
 * Whether a field of a request is for the gateway and not for an upstream. No upstream gets it, and it is never
 * reported as ignored: `X-Params-Ignored` lists fields without effect, and these have one.
 */
export function isForGateway(field: string): boolean {
  return gatewayFields.has(field)
}

const gatewayFields: ReadonlySet<string> = new Set([
  // Fields for routing, trimming, reporting, limits and the response cache.
  'models',
  'provider',
  'route',
  'transforms',
  'usage',
  'max_cost_usd',
  'cache',
  // Fields that the gateway sends to each upstream in the upstream's own format.
  'model',
  'stream',
  'stream_options',
  // Dangerous for code that assigns by key.
  '__proto__',
])
