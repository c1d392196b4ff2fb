/**
 * Extracts thinking from text that begins with `<think>`. A tag may be split between chunks, so a possible start of one
 * is held until more arrives. States: `opening` (only whitespace or part of the tag so far), `thinking`, `closed`
 * (after the closing tag, before the answer), `answer`. A tag later in the text is the model writing about tags, and
 * stays.
 */
export interface ThinkTags {
  state: 'opening' | 'thinking' | 'closed' | 'answer'
  held: string
}

export interface SplitText {
  reasoning: string
  content: string
}

export function createThinkTags(): ThinkTags {
  return { state: 'opening', held: '' }
}

/** With `isLast` nothing is held back any more. */
export function splitThinking(tags: ThinkTags, piece: string, isLast: boolean): SplitText {
  let text = tags.held + piece
  let reasoning = ''
  tags.held = ''
  if (tags.state === 'opening') {
    const start = text.trimStart()
    if (start.startsWith(openTag)) {
      tags.state = 'thinking'
      text = start.slice(openTag.length)
    } else if (!isLast && openTag.startsWith(start)) {
      tags.held = text
      return { reasoning, content: '' }
    } else if (text !== '') {
      tags.state = 'answer'
    }
  }
  if (tags.state === 'thinking') {
    const end = text.indexOf(closeTag)
    if (end === -1) {
      const kept = isLast ? 0 : overlapWith(closeTag, text)
      tags.held = text.slice(text.length - kept)
      return { reasoning: text.slice(0, text.length - kept), content: '' }
    }
    tags.state = 'closed'
    reasoning = text.slice(0, end)
    text = text.slice(end + closeTag.length)
  }
  if (tags.state === 'closed') {
    text = text.trimStart()
    if (text !== '') tags.state = 'answer'
  }
  return { reasoning, content: text }
}

const openTag = '<think>'
const closeTag = '</think>'

/** Number of characters at the end of the text that could begin the tag. */
function overlapWith(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length
  }
  return 0
}
