/** The API takes bodies of at most 10 MB, and base64 makes a file a third longer. */
const fileMaxBytes = 7_000_000

/** A file of the person as a data URI. */
export function readAsDataUri(file: File): Promise<string> {
  if (file.size > fileMaxBytes)
    return Promise.reject(new Error('The file is too large: at most 7 MB fit into a request.'))
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(new Error('The browser could not read the file.')))
    reader.readAsDataURL(file)
  })
}
