/** The API accepts bodies of up to 10 MB, and base64 makes a file a third longer. */
const fileMaxBytes = 7_000_000

/** Reads a file as a data URI. */
export function readAsDataUri(file: File): Promise<string> {
  if (file.size > fileMaxBytes) return Promise.reject(new Error('File too large. Choose a file of 7 MB or less.'))
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(new Error("Couldn't read the file. Try another one.")))
    reader.readAsDataURL(file)
  })
}
