/** The properties of a message that matter for dropping it. */
export interface ConversationItem {
  readonly tokens: number
  /** Instructions at the start of a conversation are kept. */
  readonly isInstruction: boolean
  /**
   * Ids of the tool calls in this item, and of the tool calls whose results it holds. Upstreams reject a call without
   * its result and a result without its call.
   */
  readonly opens: readonly string[]
  readonly closes: readonly string[]
  /** The item belongs to the next item, like reasoning before a tool call. */
  readonly leansOnNext: boolean
}

/**
 * Decides which items stay when `excess` tokens must be dropped: messages are dropped from the middle outwards, a tool
 * call together with its results. Leading instructions and the first and last messages always stay, even if the rest
 * still exceeds the limit.
 */
export function leaveOutMiddle(items: readonly ConversationItem[], excess: number): readonly boolean[] {
  const groups = groupItems(items)
  const head = groups.findIndex((group) => !group.isInstruction) + 1
  const middle = groups.slice(head, -1)
  let left = excess
  const gone = new Set<Group>()
  for (const group of fromTheMiddle(middle)) {
    if (left <= 0) break
    gone.add(group)
    left -= group.tokens
  }
  const keeps = items.map(() => true)
  for (const { from, to } of gone) keeps.fill(false, from, to)
  return keeps
}

interface Group {
  readonly from: number
  readonly to: number
  readonly tokens: number
  readonly isInstruction: boolean
}

/** Groups items that can only stay or go together. A tool call without a result binds nothing. */
function groupItems(items: readonly ConversationItem[]): Group[] {
  const lastResultOf = new Map<string, number>()
  for (const [index, { closes }] of items.entries()) for (const id of closes) lastResultOf.set(id, index)
  const groups: Group[] = []
  let from = 0
  let last = 0
  let tokens = 0
  for (const [index, item] of items.entries()) {
    tokens += item.tokens
    last = Math.max(last, index, item.leansOnNext ? index + 1 : index)
    for (const id of item.opens) last = Math.max(last, lastResultOf.get(id) ?? index)
    if (index < last && index < items.length - 1) continue
    groups.push({ from, to: index + 1, tokens, isInstruction: items.slice(from, index + 1).every(isInstruction) })
    from = index + 1
    tokens = 0
  }
  return groups
}

function isInstruction(item: ConversationItem): boolean {
  return item.isInstruction
}

function* fromTheMiddle<T>(list: readonly T[]): Generator<T> {
  const centre = Math.floor(list.length / 2)
  for (let distance = 0; distance <= centre; distance += 1) {
    const after = list[centre + distance]
    const before = distance === 0 ? undefined : list[centre - distance]
    if (after !== undefined) yield after
    if (before !== undefined) yield before
  }
}
