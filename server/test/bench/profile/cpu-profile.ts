/** A CPU profile in V8's format. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export interface ProfileNode {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly url: string
    /** The start of the function, from 0. */
    readonly lineNumber: number
    readonly columnNumber: number
  }
  readonly children?: readonly number[]
}

/** A function and its callees, with the sampled time in them. */
export interface Frame {
  readonly name: string
  readonly part: string
  selfUs: number
  wholeUs: number
  readonly calls: Map<string, Frame>
}

// A longer sample was taken late, because other processes had the core.
const sampleUsMax = 400

/** Merges the calls of a profile into one tree, without idle time. */
export function buildFrames({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const selfUs = new Map<number, number>()
  samples.forEach((id, index) => {
    selfUs.set(id, (selfUs.get(id) ?? 0) + Math.min(timeDeltas[index] ?? 0, sampleUsMax))
  })
  const root: Frame = { name: 'all', part: 'all', selfUs: 0, wholeUs: 0, calls: new Map() }
  const add = (node: ProfileNode, into: Frame): number => {
    if (node.callFrame.functionName === '(idle)') return 0
    const frame = frameOf(node.callFrame, into)
    const own = selfUs.get(node.id) ?? 0
    const below = childrenOf(node, byId).reduce((sum, child) => sum + add(child, frame), 0)
    frame.selfUs += own
    frame.wholeUs += own + below
    return own + below
  }
  const [first] = nodes
  if (first === undefined) return root
  root.wholeUs = childrenOf(first, byId).reduce((sum, child) => sum + add(child, root), 0)
  return root
}

function childrenOf({ children = [] }: ProfileNode, byId: ReadonlyMap<number, ProfileNode>): ProfileNode[] {
  return children.flatMap((id) => byId.get(id) ?? [])
}

function frameOf({ functionName, url }: ProfileNode['callFrame'], caller: Frame): Frame {
  const part = partOf(functionName, url)
  // An anonymous function is named after its file.
  const name = functionName === '' ? url.slice(url.lastIndexOf('/') + 1) : functionName
  const key = `${name} ${url}`
  const known = caller.calls.get(key)
  if (known !== undefined) return known
  const frame: Frame = { name, part, selfUs: 0, wholeUs: 0, calls: new Map() }
  caller.calls.set(key, frame)
  return frame
}

/** The owner of the code: a package, Node, V8, or one of our folders. */
export function partOf(functionName: string, url: string): string {
  if (url === '') return functionName === '(garbage collector)' ? 'collector' : 'V8 and the system'
  if (url.startsWith('node:')) return 'Node'
  const packageName = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(url)?.[1]
  if (packageName !== undefined) return packageName
  const folder = /\/src\/(pipeline\/[^/]+|[^/]+)\//.exec(url)?.[1]
  return folder === undefined ? 'others' : `our ${folder}`
}

/** The share of time in each part's own functions, largest first. */
export function sharesOf(root: Frame): { part: string; share: number }[] {
  const byPart = new Map<string, number>()
  const visit = (frame: Frame): void => {
    byPart.set(frame.part, (byPart.get(frame.part) ?? 0) + frame.selfUs)
    for (const call of frame.calls.values()) visit(call)
  }
  for (const call of root.calls.values()) visit(call)
  return [...byPart]
    .map(([part, us]) => ({ part, share: us / root.wholeUs }))
    .sort((one, other) => other.share - one.share)
}
