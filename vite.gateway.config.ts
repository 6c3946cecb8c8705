import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig } from 'vite'

/**
 * The gateway: one entry for the server and one for each worker thread, all in one folder, so that `startWorker` finds
 * them beside the main file. Packages stay in node_modules.
 */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/gateway',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input: Object.fromEntries([['main', 'gateway/main.ts'], ...workers().map((file) => [basename(file, '.ts'), file])]),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', assetFileNames: '[name]-[hash][extname]' },
    },
  },
})

function workers(): string[] {
  const files = readdirSync('gateway', { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.worker.ts')).map((file) => join('gateway', file))
}
