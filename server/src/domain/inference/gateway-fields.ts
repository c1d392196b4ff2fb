/**
 * Whether a field of a request is for the gateway and not for an upstream. No upstream is sent it, and none is said to
 * have ignored it: `X-Params-Ignored` names what had no effect, and these have.
 */
export function isForGateway(field: string): boolean {
  return gatewayFields.has(field)
}

const gatewayFields: ReadonlySet<string> = new Set([
  // How the gateway routes, trims, reports and limits the request.
  'models',
  'provider',
  'route',
  'transforms',
  'usage',
  'max_cost_usd',
  // What the gateway tells each upstream in its own words.
  'model',
  'stream',
  'stream_options',
  // A trap for code that assigns by key.
  '__proto__',
])
