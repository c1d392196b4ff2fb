/** A file of the repository; `path` is relative to its root, with forward slashes. */
export type SourceFile = { readonly path: string; readonly text: string }

export const isTypeScript = (path: string) => /\.tsx?$/.test(path)
export const isTest = (path: string) => /\.test\.tsx?$/.test(path)
/** Product code: files below a package's src folder, without tests. */
export const isSource = (path: string) => /^[\w-]+\/src\//.test(path) && isTypeScript(path) && !isTest(path)
