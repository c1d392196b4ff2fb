import type { BodyPiece } from '#domain/media/body-piece.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { quoted } from '#domain/routing/override-command.ts'
import { publicText } from '#lib/public-text.ts'
import { isLate } from '#providers/authentication.ts'
import type { MediaRequest } from '#providers/codecs/exchange-script.ts'
import { credentialHeaders } from '#providers/request-headers.ts'
import { vendorOf } from '#pipeline/dispatch/attempt/vendor-of.ts'
import type { ChosenProbe } from './choose-probes.ts'
import { probes } from './probes.ts'

/** Replaces the credential wherever a request is shown. */
const keyVariable = '$WEIR_PROVIDER_KEY'

/** The first request of a probe, as a shell command. It is built without the credential, so it cannot show it. */
export function showRequest({ capability, candidate }: ChosenProbe): string {
  const shown = { ...candidate, account: { ...candidate.account, credential: keyVariable } }
  try {
    const step = probes[capability].begin(shown).next()
    if (step.done === true || step.value.kind !== 'send') return '# sends nothing at first'
    const { authentication } = vendorOf(candidate)
    // Signatures and minted tokens are added when a request is sent; both vendors accept a bearer token as well.
    const late = isLate(authentication) ? credentialHeaders({ kind: 'bearer' }, keyVariable) : {}
    return curl({ ...step.value.request, headers: { ...step.value.request.headers, ...late } })
  } catch (error) {
    if (error instanceof GatewayError) return `# can't build this request: ${publicText(error.message)}`
    throw error
  }
}

const unsaid = new Set(['accept-encoding', 'user-agent'])

function curl({ method = 'POST', origin, path, headers, body }: MediaRequest): string {
  const said = Object.entries(headers).filter(([name]) => !unsaid.has(name))
  const text = typeof body === 'string' ? body : body.map(shownPiece).join('')
  return [
    `curl -X ${method} ${quoted(origin + path)}`,
    ...said.map(([name, value]) => `  -H ${headerWord(`${name}: ${value}`)}`),
    ...(method === 'GET' ? [] : [`  --data-binary ${quoted(text)}`]),
  ].join(' \\\n')
}

/** In double quotes if the shell must insert the credential. */
function headerWord(header: string): string {
  return header.includes(keyVariable) ? `"${header}"` : quoted(header)
}

function shownPiece(piece: BodyPiece): string {
  if (typeof piece === 'string') return piece
  return Buffer.isBuffer(piece) ? `<${piece.length} bytes>` : `<${piece.file.name}, ${piece.file.byteCount} bytes>`
}
