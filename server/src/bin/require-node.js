// This is JavaScript, because an old Node cannot read TypeScript: it would print a stack trace before any of our code
// runs.
const needed = 24
const found = Number.parseInt(process.versions.node, 10)
if (found < needed) {
  console.error(`Weir needs Node ${needed} or later; this is ${found}. In a clone on Linux \`npm ci\` installs it: use \`npm run …\`.`)
  process.exit(1)
}
