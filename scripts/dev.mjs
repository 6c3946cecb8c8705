/** `npm run dev`: portal with hot reload on PORT (4600), gateway restarted at every change on the next port. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isStopping, startChild } from './launcher/children.mjs'
import { ensureInstalled } from './launcher/install.mjs'
import { checkNode, LauncherError, run } from './launcher/terminal.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

await run(async () => {
  checkNode()
  await ensureInstalled(root)
  const port = Number(process.env.PORT || 4600)
  if (!Number.isInteger(port) || port < 1 || port > 65534)
    throw new LauncherError(`PORT must be a number from 1 to 65534, it is "${process.env.PORT}".`, 78)
  const gatewayPort = port + 1
  const bin = (name) => join(root, 'node_modules', name)
  const flags = process.argv.slice(2)
  // Browsers come through the portal's server: its address is the gateway's.
  const address = ['localhost', '127.0.0.1', '[::1]'].map((name) => `http://${name}:${port}`).join()
  const gateway = startChild(
    process.execPath,
    [bin('tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', '--include', 'schemas/**/*.json', 'gateway/main.ts', ...flags],
    { cwd: root, env: { PUBLIC_URL: address, ...process.env, PORT: String(gatewayPort), NODE_ENV: 'development' } },
  )
  const portal = startChild(
    process.execPath,
    [bin('vite/bin/vite.js'), '--port', String(port), '--strictPort', '--clearScreen', 'false'],
    {
      cwd: root,
      env: { ...process.env, SWITCHBOARD_GATEWAY: `http://127.0.0.1:${gatewayPort}` },
    },
  )
  const code = await Promise.race([gateway.ended, portal.ended])
  // After Ctrl-C both have their signal; when one ended by itself, the other goes too.
  if (!isStopping()) for (const { child } of [gateway, portal]) child.kill('SIGTERM')
  await Promise.all([gateway.ended, portal.ended])
  process.exit(isStopping() ? 0 : code || 1)
})
