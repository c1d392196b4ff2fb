/** So much of an answer is shown. */
const shownMax = 100_000

/**
 * Reads an answer as it comes, and shows what there is so far: JSON and text as they are, anything else by its type and
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

/** A document in lines; numbers stay as they were sent, so nothing is parsed but to see that it is JSON. */
function tidy(text: string, type: string): string {
  return type.includes('json') && !type.includes('ndjson') ? indentJson(text) : text
}

/** Line breaks and indents for JSON, without touching a value. */
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
