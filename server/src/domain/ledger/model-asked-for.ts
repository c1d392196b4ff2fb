const lengthMax = 100
const modelForm = /^(?:[a-z0-9][a-z0-9._-]*\/){0,3}[a-z0-9][a-z0-9._@-]*(?::[a-z0-9._-]+)?$/i
const secretForm = /^(?:sk|edu-sess|cust-weir)-|[a-z0-9]{33}/i

/**
 * The model that a request names, if the text has the shape of a model id. Any other text may be part of a prompt, and
 * a client may have put its key there.
 */
export function modelAskedFor(model: unknown): string | null {
  if (typeof model !== 'string' || model.length > lengthMax) return null
  return modelForm.test(model) && !secretForm.test(model) ? model : null
}
