interface JsonMeasure {
  readonly depth: number
  /** Every name of every object, including duplicates that a later one replaces. */
  readonly names: ReadonlySet<string>
  /** The highest number of names in one object. */
  readonly namesInOne: number
  /** Commas, colons and opening brackets: one per value and name. */
  readonly marks: number
}

const tokenForm = /"(?:[^"\\]|\\.)*"|[[\]{},:]/gs

/** Measures valid JSON text independently of the scan that judges bodies. A parser hides duplicate names. */
export function measureJson(text: string): JsonMeasure {
  const names = new Set<string>()
  const namesAt: number[] = []
  let deepest = 0
  let namesInOne = 0
  let marks = 0
  let string = ''
  for (const [token] of text.matchAll(tokenForm)) {
    if (token.startsWith('"')) {
      string = token
      continue
    }
    if (token === '}' || token === ']') {
      namesInOne = Math.max(namesInOne, namesAt.pop() ?? 0)
      continue
    }
    marks += 1
    if (token === ':') {
      names.add(JSON.parse(string))
      namesAt.push((namesAt.pop() ?? 0) + 1)
    } else if (token !== ',') {
      namesAt.push(0)
      deepest = Math.max(deepest, namesAt.length)
    }
  }
  return { depth: deepest, names, namesInOne, marks }
}
