import { GatewayError } from '#errors/gateway-error.ts'

/**
 * The boundary that a form's content type names. There must be exactly one, in the form of RFC 2046: a proxy before us
 * and reads a doubtful one otherwise would see other parts than we do.
 */
export function boundaryOf(contentType: string): string {
  const [, parameters = ''] = /^[^;]*(;.*)?$/s.exec(contentType) ?? []
  const found: string[] = []
  let end = 0
  for (const match of parameters.matchAll(parameterForm)) {
    const { name = '', quoted, plain = '' } = match.groups ?? {}
    if (match.index !== end) break
    end += match[0].length
    if (name.toLowerCase() === 'boundary') found.push(quoted ?? plain)
  }
  const [boundary] = found
  if (boundary === undefined || found.length > 1 || !boundaryForm.test(boundary) || !isBlank(parameters.slice(end))) {
    throw new GatewayError('invalidContentType', {
      message: 'The content type of a form must name one boundary of 1 to 70 characters.',
    })
  }
  return boundary
}

// Unquoted values are taken as they are commonly sent, with characters that strictly need quotes.
const parameterForm = /;[ \t]*(?<name>[\w!#$%&'*+.^`|~-]+)=(?:"(?<quoted>[^"\\]*)"|(?<plain>[^\s;"\\]*))[ \t]*/gy
const boundaryForm = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

function isBlank(text: string): boolean {
  return /^[; \t]*$/.test(text)
}
