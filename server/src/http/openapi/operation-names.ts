/** The id of an operation. Aliases need ids of their own. */
export function operationId({ name, paths }: { name: string; paths: readonly string[] }, path: string): string {
  const position = paths.indexOf(path)
  return position === 0 ? name : `${name}${position + 1}`
}

/** What the types of an operation begin with: `listKeys` has `ListKeysReply`. */
export function typeNameOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
