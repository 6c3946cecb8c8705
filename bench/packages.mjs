/**
 * What packages would add to a visit: `node bench/packages.mjs` installs them into a folder of its own, builds what a page would
 * import of each with Vite, without what the portal has anyway, and prints the compressed size. Beside it stands what the
 * portal uses in its place.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
/** On every page of the portal already. */
const SHARED = [
  'react',
  'react-dom',
  'antd',
  '@ant-design/icons',
  'dayjs',
  '@formily/core',
  '@formily/json-schema',
  '@formily/reactive',
]

const CASES = [
  { name: 'react-router-dom', version: '7.18.5', take: 'BrowserRouter, Routes, Route, useLocation, useNavigate' },
  { name: 'history', version: dependencies.history, take: 'createBrowserHistory', ours: true },
  { name: '@formily/react', version: '2.3.7', take: 'FormProvider, createSchemaField, useField' },
  {
    name: '@formily/antd-v5',
    version: '1.2.4',
    take: 'FormItem, FormGrid, Input, Select, NumberPicker, DatePicker, ArrayTable',
    further: { '@formily/react': '2.3.7' },
  },
  { name: '@ant-design/pro-components', version: '2.8.10', take: 'ProTable', further: { 'rc-field-form': '2.7.1' } },
  { name: '@microsoft/fetch-event-source', version: '2.0.1', take: 'fetchEventSource' },
  { name: 'eventsource-parser', version: dependencies['eventsource-parser'], take: 'createParser', ours: true },
  { name: 'react-markdown', version: dependencies['react-markdown'], take: 'default as Markdown', ours: true },
]

const folder = mkdtempSync(join(tmpdir(), 'bench-packages-'))
try {
  const shared = SHARED.map((name) => [name, dependencies[name]])
  const wanted = CASES.flatMap(({ name, version, further = {} }) => [[name, version], ...Object.entries(further)])
  const packages = Object.fromEntries([...shared, ...wanted])
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log('| package | version | gzip, kB | |\n| --- | --- | --- | --- |')
  for (const one of CASES) {
    const size = ((await compressedSize(one)) / 1000).toFixed(1)
    console.log(`| ${one.name} | ${one.version} | ${size} | ${one.ours ? 'in use' : ''} |`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Bytes of what is imported of the package and of all that comes with it, without what is shared. */
async function compressedSize({ name, take }) {
  const entry = join(folder, 'entry.js')
  writeFileSync(entry, `export { ${take} } from '${name}'\n`)
  const isShared = (id) => SHARED.some((one) => one !== name && (id === one || id.startsWith(`${one}/`)))
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rollupOptions: { external: isShared },
    },
  })
  const chunks = [built].flat().flatMap(({ output }) => output)
  return chunks.reduce((sum, chunk) => sum + gzipSync(chunk.type === 'chunk' ? chunk.code : chunk.source, { level: 9 }).length, 0)
}
