/** Longer responses are truncated. */
const shownMax = 100_000

/**
 * Reads a response as it arrives and shows the text so far: JSON and text unchanged, anything else by its type and
 * size.
 */
export async function readReply(response: Response, show: (text: string) => void): Promise<void> {
  const type = response.headers.get('content-type') ?? ''
  if (!/json|text|event-stream/.test(type)) {
    const { byteLength } = await response.arrayBuffer()
    show(byteLength === 0 ? '(no content)' : `(${type}, ${byteLength} bytes)`)
    return
  }
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    show(text.slice(0, shownMax))
  }
  show(tidy(text, type).slice(0, shownMax))
}

/** Indents JSON without parsing it, so that numbers stay as they were sent. */
function tidy(text: string, type: string): string {
  return type.includes('json') && !type.includes('ndjson') ? indentJson(text) : text
}

/** Adds line breaks and indentation to JSON without changing a value. */
export function indentJson(text: string): string {
  let depth = 0
  let isText = false
  let shown = ''
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (isText) {
      shown += sign
      if (sign === '\\') shown += text[(at += 1)] ?? ''
      else if (sign === '"') isText = false
    } else if (sign === '"') {
      shown += sign
      isText = true
    } else if (sign === '{' || sign === '[') {
      const isEmpty = text[at + 1] === (sign === '{' ? '}' : ']')
      if (isEmpty) shown += sign + text[(at += 1)]
      else shown += sign + lineAt((depth += 1))
    } else if (sign === '}' || sign === ']') shown += lineAt((depth -= 1)) + sign
    else if (sign === ',') shown += sign + lineAt(depth)
    else if (sign === ':') shown += ': '
    else if (!/\s/.test(sign)) shown += sign
  }
  return shown
}

function lineAt(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`
}
