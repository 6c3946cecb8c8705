/** `npm run build`: builds portal and gateway into dist/ when their sources changed; `--force` builds in any case. */
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './launcher/build.mjs'
import { ensureInstalled } from './launcher/install.mjs'
import { checkNode, run } from './launcher/terminal.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

await run(async () => {
  checkNode()
  await ensureInstalled(root)
  const built = await ensureBuilt(root, { force: process.argv.includes('--force') })
  console.log(built.length > 0 ? `Built: ${built.join(', ')}.` : 'Nothing changed since the last build.')
})
